// The rules that a post page is painted with before its sheets have come: those of the built sheet
// whose classes the page's modules name, so in whatever state they draw it. The server puts them
// into the page (decision 0051).
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss, { type ChildNode, type Container, type Root } from 'postcss'
import { type Plugin, parseSync } from 'vite'

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), '../build/client')
/** What draws a post page: the shell with the document around it, and the page inside. */
const DRAWN_BY = /\/web\/(?:server|reading\/post-page)\.tsx$/
/** Modules that draw nothing: a text may hold the words of any class. */
const DRAWS_NOTHING = /\/node_modules\/|\/web\/locales\//
/** For paper, and for a pointer over something: nobody misses them for a moment. */
const LATER = /^(?:print|\(hover: ?hover\))$/
/** Classes that the server gives to the text of a post. */
const OF_BODIES = /^(?:align-|c-[ksnftac]$)/

/** For the server's build, after the browser's: the file `first-styles.css` beside the renderer. */
export function firstStyles(): Plugin {
  return {
    name: 'first-styles',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild === true,
    generateBundle() {
      const sources: string[] = []
      const seen = new Set<string>()
      const visit = (id: string): void => {
        const module = seen.has(id) ? null : this.getModuleInfo(id)
        seen.add(id)
        if (!module) return
        if (!DRAWS_NOTHING.test(id)) sources.push(module.code ?? '')
        for (const one of module.importedIds) visit(one)
      }
      const roots = [...this.getModuleIds()].filter((id) => DRAWN_BY.test(id))
      if (roots.length !== 2) this.error('The modules that draw a post page are not there')
      for (const id of roots) visit(id)
      const source = pickRules(readSheet(), new Set(sources.flatMap(namesIn)))
      this.emitFile({ type: 'asset', fileName: 'first-styles.css', source })
    },
  }
}

function readSheet(): string {
  const manifest = JSON.parse(readFileSync(join(CLIENT, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { css?: string[] }
  >
  return (manifest['main.tsx']?.css ?? [])
    .map((file) => readFileSync(join(CLIENT, file), 'utf8'))
    .join('')
}

/** Words of all strings in a module; the beginning of one ends with the hyphen before its value. */
export function namesIn(code: string): string[] {
  const names: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, value } = node as { type?: string; value?: unknown }
    const text = type === 'TemplateElement' ? (value as { raw: string }).raw : value
    if (typeof text === 'string') names.push(...(text.match(/-{0,2}[a-z][\w-]*/gi) ?? []))
    for (const one of Object.values(node)) if (typeof one === 'object') visit(one)
  }
  visit(parseSync('module.js', code).program)
  return names
}

/**
 * The rules of a sheet that can be about elements with these classes, in the order and the layers
 * they have there. What a rule would load comes with the sheet.
 */
export function pickRules(sheet: string, names: ReadonlySet<string>): string {
  const starts = [...names].filter((name) => /\w-+$/.test(name))
  const isNamed = (name: string): boolean =>
    names.has(name) || OF_BODIES.test(name) || starts.some((start) => name.startsWith(start))
  const root = postcss.parse(sheet)
  root.walkAtRules((rule) => {
    const isLoaded = rule.name === 'font-face' && rule.toString().includes('url(')
    if (isLoaded || (rule.name === 'media' && LATER.test(rule.params))) rule.remove()
  })
  root.walkRules((rule) => {
    if (isInKeyframes(rule)) return
    const selectors = rule.selectors.filter((one) => classesOf(one).every(isNamed))
    if (selectors.length === 0) rule.remove()
    else rule.selectors = selectors
  })
  dropUnused(root, names)
  const picked = root.toString()
  if (/url\(|<\//.test(picked)) throw new Error('What stands in a page must not load anything')
  return picked
}

/** Classes without which a selector matches nothing; those in brackets may be one of several. */
function classesOf(selector: string): string[] {
  let outside = selector
  for (let shorter = ''; shorter !== outside; ) {
    shorter = outside
    outside = outside.replace(/\([^()]*\)/g, '')
  }
  return [...outside.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
}

/** Tokens and animations that no rule uses any more, and blocks that are empty. */
function dropUnused(root: Root, names: ReadonlySet<string>): void {
  for (let before = ''; before !== root.toString(); ) {
    before = root.toString()
    const used = new Set([...before.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
    root.walkDecls(/^--/, (token) => {
      if (!used.has(token.prop) && !names.has(token.prop)) token.remove()
    })
    root.walkAtRules('keyframes', (rule) => {
      const isUsed = new RegExp(`animation[^;}]*\\b${rule.params}\\b`).test(before)
      if (!isUsed) rule.remove()
    })
    root.walk((node) => {
      // An empty layer keeps its place in the row of the layers.
      if (isEmpty(node) && !(node.type === 'atrule' && node.name === 'layer')) node.remove()
    })
  }
}

function isEmpty(node: ChildNode): boolean {
  return 'nodes' in node && node.nodes?.length === 0
}

function isInKeyframes({ parent }: { parent: Container | undefined }): boolean {
  return parent?.type === 'atrule' && /keyframes$/.test((parent as { name?: string }).name ?? '')
}
