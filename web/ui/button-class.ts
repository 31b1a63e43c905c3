// The classes of a button, for links that look like one. Knows nothing of the product.

export type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger'

export function buttonClass(kind: ButtonKind, extra = ''): string {
  return `btn btn--${kind} ${extra}`.trimEnd()
}
