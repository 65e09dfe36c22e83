"""The page in a real browser."""

import pytest

pytest.register_assert_rewrite("tests.page.decision_checks")
