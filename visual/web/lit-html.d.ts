// The types of what this page uses of assets/lit/lit-html.js 3.3.3. Modules import it as "../lit-html.js".

export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

/** HTML with values: `.name=` sets a property, `?name=` an attribute that is there or not, `@name=` a listener. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
/** The same for what stands inside an `svg` element. */
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
/** Draws into a container, and later changes only what differs. */
export function render(value: unknown, container: HTMLElement | SVGElement | DocumentFragment): unknown;
/** Removes an attribute, or draws nothing. */
export const nothing: unique symbol;
