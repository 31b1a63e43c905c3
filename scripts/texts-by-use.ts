// A Vite plugin that gives each module only the groups of texts that it uses, so that the texts of
// a screen are loaded with the screen: a bundler cannot split the catalogue, which is one object.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, parseSync } from 'vite'

const CATALOGUE = join(dirname(fileURLToPath(import.meta.url)), '../web/locales/en')
const IMPORT = /^import \{ texts \} from '[./]*\/locales\/texts\.ts'$/m
const QUERY = '?group='

type Node = { type: string; start: number; end: number } & Record<string, unknown>
/** One group of texts: its file without the other groups. */
type Group = { file: string; code: string }

/** For the browser's build only: the server has all texts at once. */
export function textsByUse(): Plugin {
  let groups = new Map<string, Group>()
  return {
    name: 'texts-by-use',
    enforce: 'pre',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    buildStart() {
      const files = globSync('*.{ts,tsx}', { cwd: CATALOGUE }).map((file) => join(CATALOGUE, file))
      groups = new Map(files.flatMap((file) => readGroups(file, readFileSync(file, 'utf8'))))
    },
    resolveId: (id) => (id.includes(QUERY) ? id : null),
    load(id) {
      const [, name = ''] = id.split(QUERY)
      return groups.get(name)?.code ?? null
    },
    transform(code, id) {
      if (!IMPORT.test(code)) {
        // A single import of another form would load all texts with every screen.
        if (/^import \{.*\/locales\/texts\.ts'$/m.test(code)) this.error(`${id}: import { texts }`)
        return null
      }
      const groupNames = findUsedGroups(code)
      if (!groupNames?.every((name) => groups.has(name)))
        this.error(`${id} must name the groups of texts that it uses: texts.group`)
      const imports = groupNames.map(
        (name) =>
          `import { ${name} as text_${name} } from ${JSON.stringify(`${groups.get(name)?.file}${QUERY}${name}`)}`,
      )
      const object = groupNames.map((name) => `${name}: text_${name}`).join(', ')
      return {
        code: code.replace(IMPORT, `${imports.join(';')}; const texts = { ${object} }`),
        map: null,
      }
    },
  }
}

/** The groups that a module uses; undefined if it uses the catalogue in another way. */
function findUsedGroups(code: string): string[] | undefined {
  const names = new Set<string>()
  const rest = code
    .replace(IMPORT, '')
    .replace(/(?<![\w/-])texts\.(\w+)/g, (_whole, name: string) => String(names.add(name) && ''))
    .replace(/\bconst \{([^{}]*)\} = texts$/gm, (_whole, list: string) => {
      for (const [, name] of list.matchAll(/(\w+)\s*(?::\s*\w+\s*)?(?:,|$)/g)) names.add(name ?? '')
      return ''
    })
  return /(?<![\w/-])texts\b(?!\.ts)/.test(rest.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))
    ? undefined
    : [...names]
}

function readGroups(file: string, code: string): [string, Group][] {
  const program = parseSync(file, code).program as unknown as { body: Node[] }
  const object = program.body.flatMap((statement) => findObject(statement) ?? [])[0]
  if (!object) return []
  const before = code.slice(0, object.statement.start)
  const after = code.slice(object.statement.end)
  return object.properties.flatMap(({ key, value, type, shorthand }) => {
    const name = (key as { name?: string } | undefined)?.name
    if (type !== 'Property' || !name) return []
    const { start, end } = value as Node
    const group = shorthand ? `{ ${name} }` : `const ${name} = ${code.slice(start, end)}`
    return [[name, { file, code: `${before}export ${group}${after}` }]]
  })
}

function findObject(statement: Node): { statement: Node; properties: Node[] } | undefined {
  const declaration = statement.declaration as { declarations?: { init?: Node }[] } | undefined
  const init = declaration?.declarations?.[0]?.init
  if (statement.type !== 'ExportNamedDeclaration' || init?.type !== 'ObjectExpression') return
  return { statement, properties: init.properties as Node[] }
}
