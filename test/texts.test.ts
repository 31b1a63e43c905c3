// Every text that the web app shows or says is in its catalogue, so that a translation is one
// folder. A failure names the text that is elsewhere, or the one in the catalogue
// that nothing says.
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const CATALOGUE = 'web/locales/en/*.{ts,tsx}'
/** Attributes and fields that people read or hear. Identifiers have other names. */
const SHOWN = new Set(
  (
    'alt answer aria-description aria-label aria-placeholder aria-roledescription aria-valuetext busyLabel buttonLabel cancelLabel confirmLabel ' +
    'doneText foot hint invitation label legend message placeholder question screen summary text title tooLarge'
  ).split(' '),
)
/** For readers of a log, never on a screen. */
const FOR_DEVELOPERS = new Set(['Error', 'AppwriteException'])
/** What the server or the client said is looked at, not said. */
const COMPARING = new Set(['startsWith', 'endsWith', 'includes'])
const LETTER = /\p{L}/u
/** Two words, the first with a capital: no name of a class, a key or an event looks like that. */
const SENTENCE = /^\s*["“']?\p{Lu}[\p{L}'’]*[,.]? .*\p{L}{2}/u

type Node = { type: string; start: number } & Record<string, unknown>

const files = globSync('web/**/*.{ts,tsx}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/locales/'))
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

test('source files and texts are found', () => {
  expect(sources.size).toBeGreaterThan(100)
  expect(catalogueTexts().length).toBeGreaterThan(250)
})

test('no text is outside the catalogue', () => {
  expect([...sources].flatMap(([file, code]) => strayTexts(file, code))).toEqual([])
})

test('every text of the catalogue is used', () => {
  const said = [...sources.values()].flatMap(namesSaid)
  const unsaid = catalogueTexts().filter(
    (name) => !said.some((other) => name === other || name.startsWith(`${other}.`)),
  )
  expect(unsaid).toEqual([])
})

test('no file of the catalogue hides a text of another one', () => {
  const names = catalogueTexts()
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each([
  ['a text between tags', '<p>Posts</p>'],
  ['a text between tags and values', '<p>{count} posts</p>'],
  ['a text in braces', "<p>{isOn ? 'on' : other}</p>"],
  ['a template in braces', '<p>{isShown && `posts`}</p>'],
  ['a label', '<button aria-label="Close" />'],
  ['a chosen label', "<Button busyLabel={isOn ? `saving` : ''} />"],
  ['a field that is shown', "show({ kind: 'ok', text: 'Saved' })"],
  ['a sentence anywhere', "setOutcome('Sent. Check your inbox.')"],
])('%s is reported', (_name, code) => {
  expect(strayTexts('planted.tsx', code)).toHaveLength(1)
})

test.each([
  ['signs without letters', "<p>{a} · {' '}{b && ', '}</p>"],
  [
    'texts of the catalogue',
    '<Button busyLabel={texts.signing.goingIn}>{texts.mails.againIn(seconds)}</Button>',
  ],
  [
    'classes, keys and values of the wire',
    "<p className=\"alert alert--ok\" role=\"status\" data-kind={kind === 'error' ? 'no' : 'ok'} />",
  ],
  ['drawings', '<path d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" />'],
  ['words for developers', "throw new Error('This page was not made by the server')"],
  ['words that are looked for', "isOurs = message.startsWith('Missing required parameter')"],
  ['types', "type Shown = { title: 'Post' | 'Feed' }"],
])('%s are not reported', (_name, code) => {
  expect(strayTexts('planted.tsx', code)).toEqual([])
})

function strayTexts(file: string, code: string): string[] {
  const faults = new Map<number, string>()
  function report({ start }: Node, text: string) {
    if (LETTER.test(text))
      faults.set(start, `${file}:${code.slice(0, start).split('\n').length}: ${text.trim()}`)
  }
  walk(parse(file, code), (node, parent) => {
    if (node.type === 'JSXText') report(node, String(node.value))
    if (node.type === 'JSXExpressionContainer' && parent?.type !== 'JSXAttribute')
      for (const one of valuesOf(node.expression)) report(...one)
    if (node.type === 'JSXAttribute' && SHOWN.has(nameOf(node.name)))
      for (const one of valuesOf(node.value)) report(...one)
    if (node.type === 'Property' && SHOWN.has(nameOf(node.key)))
      for (const one of valuesOf(node.value)) report(...one)
    for (const [at, text] of ownText(node)) if (SENTENCE.test(text)) report(at, text)
  })
  return [...faults.values()]
}

function parse(file: string, code: string): Node {
  const { program, errors } = parseSync(file, code)
  expect(errors).toEqual([])
  return program as unknown as Node
}

/** Every node except types, imports, texts for developers and compared values. */
function walk(node: Node, visit: (node: Node, parent?: Node) => void, parent?: Node): void {
  if (/^TS(?!As|NonNull|Satisfies)|^(?:Import|ExportAll)/.test(node.type)) return
  if (node.type === 'NewExpression' && FOR_DEVELOPERS.has(nameOf(node.callee))) return
  visit(node, parent)
  const isComparison =
    node.type === 'CallExpression' &&
    isNode(node.callee) &&
    COMPARING.has(nameOf(node.callee.property))
  const children = isComparison ? [node.callee] : Object.values(node).flat()
  for (const child of children) if (isNode(child)) walk(child, visit, node)
}

/** The strings that an expression may come to, each with its place. */
function valuesOf(value: unknown): [at: Node, text: string][] {
  if (!isNode(value)) return []
  switch (value.type) {
    case 'JSXExpressionContainer':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return valuesOf(value.expression)
    case 'ConditionalExpression':
      return [...valuesOf(value.consequent), ...valuesOf(value.alternate)]
    case 'LogicalExpression':
      return value.operator === '&&'
        ? valuesOf(value.right)
        : [...valuesOf(value.left), ...valuesOf(value.right)]
    case 'BinaryExpression':
      return value.operator === '+' ? [...valuesOf(value.left), ...valuesOf(value.right)] : []
    default:
      return ownText(value)
  }
}

function ownText(node: Node): [at: Node, text: string][] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [[node, node.value]]
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return []
  return [[node, node.quasis.map(({ value }) => value.cooked).join('…')]]
}

/** The paths of all texts in the catalogue: `signIn.title`. */
function catalogueTexts(): string[] {
  const paths: string[] = []
  function collect(value: Node, path: string) {
    if (value.type !== 'ObjectExpression' || !Array.isArray(value.properties)) paths.push(path)
    else
      for (const { type, key, value: inner } of value.properties)
        if (type === 'Property') collect(inner, [path, nameOf(key)].filter(Boolean).join('.'))
  }
  for (const file of globSync(CATALOGUE))
    walk(parse(file, readFileSync(file, 'utf8')), (node, parent) => {
      if (parent?.type !== 'ExportNamedDeclaration' || !Array.isArray(node.declarations)) return
      for (const { init } of node.declarations) collect(init, '')
    })
  return paths
}

/** What a file takes from the catalogue: a text, or a group of texts. */
function namesSaid(code: string): string[] {
  const paths = [...code.matchAll(/\btexts\.([\w.]*\w)/g)].map(([, path]) => path ?? '')
  const groups = [...code.matchAll(/\{([^{}]*)\} = texts\b(?!\.)/g)].flatMap(
    ([, names]) => names?.match(/\w+/g) ?? [],
  )
  return [...paths, ...groups]
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return String(node.name ?? node.value ?? '')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
