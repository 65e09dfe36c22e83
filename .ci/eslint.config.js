// What counts as a fault in the page's JavaScript, beside its types (tsconfig.json) and its style (prettier.json).

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", { max: 250, skipComments: true }],
      "max-params": ["error", 5],
      "no-implicit-coercion": "error",
      "no-nested-ternary": "error",
      "no-shadow": "error",
      "no-undef": "off", // the compiler knows what a browser has
      "no-unused-expressions": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
