"""Routes that answer what the page asks by `Questions` (web/base/questions.js): the body of a POST goes in, JSON comes back."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from visual.payload.messages import compact


def question_route(address: str, answer: Callable[[bytes], Awaitable[str | bytes]]) -> Route:
    """A route, for `launch`, relative to the page; where `answer` raises a ValueError, its text is the `error` of a response 400."""

    async def answer_request(request: Request) -> Response:
        try:
            return Response(await answer(await request.body()), media_type="application/json")
        except (ValueError, RecursionError) as problem:
            return Response(json.dumps({"error": str(problem)}), 400, media_type="application/json")

    return Route(f"/{address}", answer_request, methods=["POST"])


def refusal(problem: ValueError, labels: Mapping[str, str]) -> str:
    """The answer to what was typed and cannot be taken: `refused`, a sentence that names the field by its label, and the `field`.

    Raises:
        ValueError: the problem itself, if it is of no field that has a label.
    """
    field, _, allowed = str(problem).partition(" ")
    if field not in labels:
        raise problem
    return compact({"refused": f"{labels[field]} {allowed}.", "field": field})
