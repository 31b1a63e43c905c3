// Takes the dialogs out of the editor's theme at build time, as a module of their own that is
// loaded when the first dialog opens: the theme of the package is one file with everything in it.
// What only the dialogs use goes with them, found by following the names from the theme's start.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Plugin, parseSync } from 'vite'

const THEME = fileURLToPath(import.meta.resolve('hugerte/themes/silver/theme.js'))
/** What the rest of the app loads. */
const DIALOGS = 'virtual:editor-dialogs'
/** The theme's names of what makes windows, and of what makes the fields in them. */
const ENTRIES = ['setup', 'interpretWithoutForm']
/**
 * Stands for them in the theme. Windows are made by the first one that opens, which waits for the
 * dialogs (late-dialogs.ts).
 */
const STAND_INS = `
import 'hugerte';
let dialogs;
export const giveDialogs = (given) => { dialogs = given; };
const interpretWithoutForm = (...given) => dialogs.interpretWithoutForm(...given);
const setup = (needs) => {
  let made;
  const make = () => (made ??= dialogs.setup(needs));
  const names = ['open', 'openUrl', 'alert', 'confirm', 'close'];
  return Object.fromEntries(names.map((name) => [name, (...given) => make()[name](...given)]));
};
`

/** Parts that this editor never uses, and what is simpler than its own copy of a cleaner. */
const REPLACED: Record<string, string> = {
  purify:
    '() => ({ sanitize: (html) => hugerte.html.Serializer().serialize(hugerte.html.DomParser().parse(html)) })',
  ...Object.fromEntries(
    [
      'InlineHeader',
      'createFontSizeInputButton',
      'renderFloatingMoreToolbar',
      'renderSlidingMoreToolbar',
      'renderViewHeader',
    ].map((name) => [name, "() => { throw new Error('Not in this editor') }"]),
  ),
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>
/** A statement of the theme's outermost level, the names it declares and those it uses. */
type Statement = { text: string; declares: string[]; uses: Set<string> }

export function editorDialogs(): Plugin {
  return {
    name: 'editor-dialogs',
    enforce: 'pre',
    resolveId: (id) => (id === DIALOGS ? `\0${DIALOGS}` : null),
    async load(id) {
      if (id !== `\0${DIALOGS}`) return null
      return { code: splitTheme(await readFile(THEME, 'utf8')).dialogs, map: null }
    },
    transform: (code, id) => (id === THEME ? { code: splitTheme(code).theme, map: null } : null),
  }
}

/** @returns the theme without its dialogs, and the dialogs, which import what they share with it */
function splitTheme(code: string): { theme: string; dialogs: string } {
  const statements = readStatements(code)
  const byName = new Map(statements.flatMap((one) => one.declares.map((name) => [name, one])))
  for (const name of [...ENTRIES, ...Object.keys(REPLACED)])
    if (!byName.has(name)) throw new Error(`The editor's theme has no "${name}" any more`)
  const find = (name: string) => (Object.hasOwn(REPLACED, name) ? undefined : byName.get(name))
  const staying = follow(
    statements.filter(({ declares }) => declares.length === 0),
    (name) => (ENTRIES.includes(name) ? undefined : find(name)),
  )
  const used = follow(
    ENTRIES.flatMap((name) => find(name) ?? []),
    find,
  )
  const moved = statements.filter((one) => used.has(one) && !staying.has(one))
  const isStaying = (name: string) =>
    Object.hasOwn(REPLACED, name) || staying.has(byName.get(name) as Statement)
  const shared = [...byName.keys()].filter(
    (name) => isStaying(name) && moved.some(({ uses }) => uses.has(name)),
  )
  const replaced = Object.entries(REPLACED).map(([name, code]) => `const ${name} = ${code};`)
  const list = shared.join(', ')
  return {
    theme: `${STAND_INS}${replaced.join('\n')}\n${join(statements.filter((one) => staying.has(one)))}\nexport { ${list} };`,
    dialogs: `import { giveDialogs, ${list} } from ${JSON.stringify(THEME)};\n${join(moved)}\ngiveDialogs({ ${ENTRIES.join(', ')} });`,
  }
}

/** The statements themselves, and those that declare what they use. */
function follow(
  from: readonly Statement[],
  find: (name: string) => Statement | undefined,
): Set<Statement> {
  const reached = new Set(from)
  for (const one of reached)
    for (const name of one.uses) {
      const next = find(name)
      if (next) reached.add(next)
    }
  return reached
}

/** Those of the one function that is the whole file. */
function readStatements(code: string): Statement[] {
  const [outer] = nodesOf(parseSync(THEME, code).program.body).slice(-1)
  const call = outer?.expression as Node | undefined
  const callee = unwrap(call?.callee as Node | undefined)
  const body = (callee?.body as Node | undefined)?.body
  if (!body) throw new Error("The editor's theme is not one function any more")
  return nodesOf(body).map((node) => {
    const names = new Set<string>()
    collectNames(node, names)
    return {
      text: code.slice(node.start, node.end),
      declares: namesDeclaredBy(node),
      uses: names,
    }
  })
}

function unwrap(node: Node | undefined): Node | undefined {
  return node?.type === 'ParenthesizedExpression' ? (node.expression as Node) : node
}

function namesDeclaredBy(node: Node): string[] {
  if (/^(?:Function|Class)Declaration$/.test(node.type)) return [nameOf(node.id)]
  if (node.type !== 'VariableDeclaration') return []
  const names = new Set<string>()
  for (const { id } of nodesOf(node.declarations)) collectNames(id as Node, names)
  return [...names]
}

/** All names in a piece of code but those behind a dot: rather too many than one too few. */
function collectNames(node: Node, names: Set<string>): void {
  if (node.type === 'Identifier') names.add(nameOf(node))
  for (const [key, value] of Object.entries(node)) {
    const isName = !node.computed && (key === 'property' || (key === 'key' && !node.shorthand))
    if (isName && (node.type === 'MemberExpression' || key === 'key')) continue
    for (const child of nodesOf(Array.isArray(value) ? value : [value])) collectNames(child, names)
  }
}

function nameOf(node: unknown): string {
  return (node as { name: string }).name
}

function nodesOf(values: unknown): Node[] {
  const isNode = (value: unknown) => typeof value === 'object' && value !== null && 'type' in value
  return (values as unknown[]).filter(isNode) as Node[]
}

function join(statements: readonly Statement[]): string {
  return statements.map(({ text }) => text).join('\n')
}
