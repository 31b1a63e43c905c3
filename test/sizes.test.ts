// How long a function, a comment line and a folder may be (CONTRIBUTING.md), and that nothing is
// folded to fit. A failure names what is too long; files are measured by architecture.test.ts.
import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const FUNCTION_MAX_LINES = 80
/** A component: a function that returns its markup. */
const COMPONENT_MAX_LINES = 120
const COMMENT_MAX_COLUMNS = 100
const FOLDER_MAX_SHARE = 0.25

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const sources = globSync(['{contract,backend,web,scripts,test}/**/*.{ts,tsx,css}', '*.ts'], {
  exclude: ['**/node_modules/**'],
})
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const code = sources.filter(({ file }) => !file.endsWith('.css'))

test('source files are found', () => {
  expect(code.length).toBeGreaterThan(200)
})

test(`no function is longer than ${FUNCTION_MAX_LINES} lines, no component than ${COMPONENT_MAX_LINES}`, () => {
  expect(code.flatMap(({ file, text }) => longFunctions(file, text))).toEqual([])
})

test(`no line of a comment is longer than ${COMMENT_MAX_COLUMNS} columns`, () => {
  expect(code.flatMap(({ file, text }) => longComments(file, text))).toEqual([])
})

test('no folder of the web part has more than a quarter of its lines', () => {
  const lines = new Map<string, number>()
  for (const { file, text } of sources) {
    const [part = '', folder = '', ...rest] = file.split('/')
    if (part === 'web' && rest.length > 0)
      lines.set(folder, (lines.get(folder) ?? 0) + countLines(text))
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0)
  expect([...lines].filter(([, count]) => count / all > FOLDER_MAX_SHARE)).toEqual([])
})

test('no literal is spread into another to save lines', () => {
  expect(code.flatMap(({ file, text }) => foldedLiterals(file, text))).toEqual([])
})

test.each([
  'const folded = { ...{ a, b }, c }',
  'const folded = [...[a, b], c]',
  'call(...[a, b])',
  'const folded = <Part {...{ a, b }} />',
])('a folded literal is reported: %s', (text) => {
  expect(foldedLiterals('planted.tsx', text)).toHaveLength(1)
})

test.each(['const all = { ...(isOn ? { a } : {}), ...rest }', 'const all = [...[a, b].map(call)]'])(
  'a spread of a computed value is accepted: %s',
  (text) => {
    expect(foldedLiterals('planted.tsx', text)).toEqual([])
  },
)

test.each([
  ['a function', `function long() {\n${'go()\n'.repeat(80)}}`, 'planted.ts'],
  ['an arrow function', `const long = () => {\n${'go()\n'.repeat(80)}}`, 'planted.ts'],
  ['a hook', `function useLong() {\n${'go()\n'.repeat(80)}return 1\n}`, 'planted.tsx'],
  ['a component', `function Long() {\n${'go()\n'.repeat(120)}return <p />\n}`, 'planted.tsx'],
])('%s that is too long is reported', (_name, text, file) => {
  expect(longFunctions(file, text)).toHaveLength(1)
})

test('a component, and a callback that contains test cases, may be longer than another function', () => {
  const component = `function Long() {\n${'go()\n'.repeat(100)}return <p />\n}`
  expect(longFunctions('planted.tsx', component)).toEqual([])
  const cases = `describe('cases', () => {\n${'go()\n'.repeat(100)}})`
  expect(longFunctions('planted.test.ts', cases)).toEqual([])
})

test('a long comment is reported, a long string is not', () => {
  expect(longComments('planted.ts', `/** ${'word '.repeat(20)}*/`)).toHaveLength(1)
  expect(longComments('planted.ts', `const text = '// ${'word '.repeat(20)}'`)).toEqual([])
})

function longFunctions(file: string, text: string): string[] {
  const faults: string[] = []
  // In formatted code, longer functions contain no closing bracket at the left margin.
  if (!text.split(/^[)\]}]/m).some((part) => countLines(part) > FUNCTION_MAX_LINES)) return faults
  // Functions inside a node of fewer lines are short enough.
  const mayHoldLong = ({ start, end }: Pick<Node, 'start' | 'end'>) =>
    countLines(text.slice(start, end)) > FUNCTION_MAX_LINES
  walk(parseSync(file, text).program as unknown as Node, mayHoldLong, (node, isCase) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      return
    if (isCase && /\.test\.tsx?$/.test(file)) return
    const lines = countLines(text.slice(node.start, node.end))
    const max = returnsMarkup(node) ? COMPONENT_MAX_LINES : FUNCTION_MAX_LINES
    if (lines > max) faults.push(`${placeOf(file, text, node.start)}: ${lines} lines`)
  })
  return faults
}

function longComments(file: string, text: string): string[] {
  // A text between quotes may look like a comment: to parse all files takes a second.
  const looks = [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ index, 0: comment }) => ({
    start: index,
    end: index + comment.length,
  }))
  if (longLines(file, text, looks).length === 0) return []
  return longLines(file, text, parseSync(file, text).comments)
}

function longLines(file: string, text: string, comments: Pick<Node, 'start' | 'end'>[]): string[] {
  return comments.flatMap(({ start, end }) => {
    const lineStart = text.lastIndexOf('\n', start) + 1
    return text
      .slice(lineStart, end)
      .split('\n')
      .filter((line) => line.length > COMMENT_MAX_COLUMNS && !line.includes('biome-ignore'))
      .map((line) => `${placeOf(file, text, start)}: ${line.trim()}`)
  })
}

/**
 * @param isWanted which nodes are visited, with what is in them
 * @param visit gets whether the node is an argument of a call, such as a callback with test cases
 */
function walk(
  node: Node,
  isWanted: (node: Node) => boolean,
  visit: (node: Node, isCase: boolean) => void,
  isCase = false,
): void {
  visit(node, isCase)
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child) && isWanted(child))
        walk(child, isWanted, visit, node.type === 'CallExpression' && key === 'arguments')
    }
  }
}

/** Whether the function itself, not one inside it, returns JSX. */
function returnsMarkup({ body }: Node): boolean {
  if (!isNode(body)) return false
  if (isMarkup(body)) return true
  const statements = body.body
  return (
    Array.isArray(statements) &&
    statements.some(
      (one: Node) =>
        one.type === 'ReturnStatement' && isNode(one.argument) && isMarkup(one.argument),
    )
  )
}

function isMarkup(node: Node): boolean {
  if (node.type === 'ParenthesizedExpression')
    return isNode(node.expression) && isMarkup(node.expression)
  return node.type === 'JSXElement' || node.type === 'JSXFragment'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function placeOf(file: string, text: string, start: number): string {
  return `${file}:${countLines(text.slice(0, start))}`
}

function countLines(text: string): number {
  return text.split('\n').length
}

/** Object and list literals that are spread, by file and line. */
function foldedLiterals(file: string, text: string): string[] {
  if (!/\.\.\.\s*[[{]/.test(text)) return []
  const folded: string[] = []
  const look = ({ argument, start }: { argument: { type: string }; start: number }) => {
    if (argument.type === 'ObjectExpression' || argument.type === 'ArrayExpression')
      folded.push(`${file}:${countLines(text.slice(0, start))}`)
  }
  const visitor = new Visitor({ SpreadElement: look, JSXSpreadAttribute: look })
  visitor.visit(parseSync(file, text).program)
  return folded
}
