// The values at the top of a Markdown file: YAML, TOML or JSON. Values are read as they are written
// by hand: YAML that is not quite YAML is read line by line.
import { parse as parseToml } from 'smol-toml'
import { parseDocument } from 'yaml'

export type FrontMatter = {
  values: Record<string, unknown>
  body: string
  /** Whether there is one; a line of the text may look like the beginning of one. */
  hasFrontMatter: boolean
  isDamaged: boolean
}

const MAX_CHARS = 30_000
/** An alias may be used so often: nested ones would fill the memory. */
const ALIASES_MAX = 50
const LINE = /^([\w][\w-]{0,60}):[ \t]+(\S[^\n]*)$/
const FENCES: Record<string, string> = { '---': '---', '+++': '+++' }

export function readFrontMatter(text: string): FrontMatter {
  const start = text.replace(/^\ufeff/, '').trimStart()
  const plain = { values: {}, body: text, hasFrontMatter: false, isDamaged: false }
  if (start.startsWith('{')) return readJson(start) ?? plain
  const [first = ''] = start.split('\n', 1)
  const fence = FENCES[first.trimEnd()]
  if (fence === undefined) return plain
  const lines = start.slice(first.length + 1, first.length + 1 + MAX_CHARS).split('\n')
  const end = lines.findIndex(
    (line) => line.trimEnd() === fence || (fence === '---' && line.trimEnd() === '...'),
  )
  if (end < 0) return plain
  const head = lines.slice(0, end)
  const length = head.reduce((sum, line) => sum + line.length + 1, 0)
  const body = start.slice(first.length + 1 + length + (lines[end]?.length ?? 0) + 1)
  const source = head.join('\n').replaceAll('\r', '')
  const values = fence === '+++' ? readToml(source) : readYaml(source)
  const isDamaged = values === undefined
  return { values: values ?? readLines(source), body, hasFrontMatter: true, isDamaged }
}

function readYaml(source: string): Record<string, unknown> | undefined {
  try {
    const document = parseDocument(source, {
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
    })
    if (document.errors.length > 0) return undefined
    return toObject(document.toJS({ maxAliasCount: ALIASES_MAX }))
  } catch {
    return undefined
  }
}

function readToml(source: string): Record<string, unknown> | undefined {
  try {
    return toObject(parseToml(source))
  } catch {
    return undefined
  }
}

/** An object, and the text after it. */
function readJson(text: string): FrontMatter | undefined {
  const end = /\n\}[ \t\r]*(?:\n|$)/.exec(text.slice(0, MAX_CHARS))
  if (!end) return undefined
  const length = end.index + '\n}'.length
  try {
    const values = toObject(JSON.parse(text.slice(0, length)))
    const body = text.slice(length)
    return values && { values, body, hasFrontMatter: true, isDamaged: false }
  } catch {
    return undefined
  }
}

/** @returns undefined for values that are none, such as those of a table in the text */
function toObject(value: unknown): Record<string, unknown> | undefined {
  if (value === null || value === undefined) return {}
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}

function readLines(source: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const line of source.split('\n')) {
    const [, name, value = ''] = LINE.exec(line) ?? []
    if (name) values[name] = value.trim().replace(/^(["'])([^"']*)\1$/, '$2')
  }
  return values
}
