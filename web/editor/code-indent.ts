// What Tab and Shift+Tab do to the lines of a code sample. Works on text only.

export type Typed = { text: string; from: number; to: number }
/** What is put in place of `from` to `to`, and what is selected afterwards. */
export type Indented = { from: number; to: number; insert: string; select: [number, number] }

const STEP = '  '

/**
 * A Tab between words is a step at the caret; with lines selected each of them moves by one step.
 */
export function indentLines({ text, from, to }: Typed, isBack: boolean): Indented {
  const isWithinLine = !text.slice(from, to).includes('\n')
  if (!isBack && isWithinLine)
    return { from, to, insert: STEP, select: [from + STEP.length, from + STEP.length] }
  const start = text.lastIndexOf('\n', from - 1) + 1
  // A selection that ends at the start of a line does not hold that line.
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last) < 0 ? text.length : text.indexOf('\n', last)
  const lines = text.slice(start, end).split('\n')
  const moved = lines.map((line) => (isBack ? line.replace(/^(?:\t| {1,2})/, '') : moveIn(line)))
  const insert = moved.join('\n')
  const first = (moved[0]?.length ?? 0) - (lines[0]?.length ?? 0)
  const all = insert.length - (end - start)
  return {
    from: start,
    to: end,
    insert,
    select: [Math.max(start, from + first), Math.max(start, to + all)],
  }
}

function moveIn(line: string): string {
  return line === '' ? line : STEP + line
}
