// No regular expression takes quadratic time on any input, and `normalize` is called in one place
// (contract/plain-text.ts). Where an input is short, a comment above the pattern says why: it
// begins with "Bounded:". The editor's patterns are left out: they run in the browser alone, on
// the user's own text.
import { globSync, readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const FILES = globSync('{backend,contract,web,scripts/{admin,setup}}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|^web\/editor\//.test(file),
)

/** Methods that also accept a string as a pattern. */
const MATCHING = ['match', 'matchAll', 'search']

function makesPattern({
  callee,
  arguments: [first],
}: ESTree.NewExpression | ESTree.CallExpression) {
  if (callee.type === 'Identifier') return callee.name === 'RegExp'
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  if (callee.property.name === 'RegExp') return true
  const isText = first?.type === 'Literal' ? !('regex' in first) : first?.type === 'TemplateLiteral'
  return isText && MATCHING.includes(callee.property.name)
}

/** A pattern for all text between a start and an end scans it again from every start. */
const ANYTHING = /^[^^].*\[\\[sS]\\[sS]\][*+]/

/** Where a pattern can begin: most files hold none and need not be parsed. */
const REGEX_LITERAL_START =
  /(?:^|[-(,=:?&|[!{};>+\n]|\b(?:return|typeof|case|in|of|await|yield))\s*\/(?![*/>])/
const REGEX_CALL = /RegExp|\.(?:match|matchAll|search)\(/

type Found = { source: string; flags: string; start: number }
type Node = ESTree.Node | null | undefined

/**
 * The string value of a node, given the file's constants; `x` stands for values known only when the
 * code runs.
 */
function textOf(node: Node, constants: ReadonlyMap<string, string>): string {
  if (node?.type === 'Literal') return 'regex' in node ? node.regex.pattern : String(node.value)
  if (node?.type === 'Identifier') return constants.get(node.name) ?? 'x'
  if (node?.type === 'TaggedTemplateExpression') return textOf(node.quasi, constants)
  if (node?.type === 'MemberExpression') return textOf(node.object, constants)
  if (node?.type === 'BinaryExpression')
    return textOf(node.left, constants) + textOf(node.right, constants)
  if (node?.type !== 'TemplateLiteral') return 'x'
  return node.quasis
    .map(({ value }, at) => {
      const after = node.expressions[at]
      return (value.cooked ?? value.raw) + (after ? textOf(after, constants) : '')
    })
    .join('')
}

function findPatterns(file: string, text: string): Found[] {
  const constants = new Map<string, string>()
  const matches: Found[] = []
  if (!REGEX_LITERAL_START.test(text) && !REGEX_CALL.test(text)) return matches
  function addConstructedPattern(node: ESTree.NewExpression | ESTree.CallExpression): void {
    if (!makesPattern(node)) return
    const [source, flags] = node.arguments
    matches.push({
      source: textOf(source, constants),
      flags: flags ? textOf(flags, constants) : '',
      start: node.start,
    })
  }
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, textOf(init, constants))
    },
    Literal(node) {
      if ('regex' in node)
        matches.push({ source: node.regex.pattern, flags: node.regex.flags, start: node.start })
    },
    NewExpression: addConstructedPattern,
    CallExpression: addConstructedPattern,
  }).visit(parseSync(file, text).program)
  return matches
}

/** Patterns that take more than linear time, as `file:line /pattern/`. */
function findSlow(file: string, text: string): string[] {
  return findPatterns(file, text).flatMap(({ source, flags, start }) => {
    const before = text.slice(0, start).split('\n')
    if (before.slice(-4).some((line) => /^\s*(?:\/\/|\/?\*\*?) Bounded: /.test(line))) return []
    return ANYTHING.test(source) || analyse({ source, flags }).reports.length > 0
      ? [`${file}:${before.length} /${source}/${flags}`]
      : []
  })
}

test.each([
  "text.replace(/^ +| +$/g, '')",
  '/.\\/+$/.test(text)',
  '/^(?:a+)+$/.test(text)',
  String.raw`/^\s*\w*\s*\w*-$/.test(text)`,
  String.raw`text.replace(/<!--[\s\S]*?-->/g, '')`,
  "text.match(' +$')",
  "new globalThis.RegExp('a+' + '$')",
  "const SPACES = / +/; new RegExp(SPACES.source + '$')",
  "const PART = '[a-z]+'; new RegExp(`^@{PART}[a-z0-9]+-`, 'u')".replace('@', '$'),
])('%s is reported as slow', (text) => {
  expect(findSlow('a.ts', text)).toHaveLength(1)
  expect(findSlow('a.ts', `// Bounded: it is short.\n${text}`)).toEqual([])
})

test('no pattern takes more than linear time', () => {
  const slow = FILES.flatMap((file) => findSlow(file, readFileSync(file, 'utf8')))
  expect(slow).toEqual([])
})

test('only contract/plain-text.ts calls normalize, on texts of bounded length', () => {
  // The script of an exported site stands alone; its words are cut first.
  const allowed = ['contract/plain-text.ts', 'contract/site-search.ts']
  const others = FILES.filter((file) => !allowed.includes(file)).filter((file) =>
    readFileSync(file, 'utf8').includes('.normalize('),
  )
  expect(others).toEqual([])
})
