// The values at the top of a Markdown file: YAML, TOML or JSON. Values are read as they are written
// by hand: YAML that is not quite YAML is read line by line.
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import type { Values } from './source-values.ts'

export type FrontMatter = {
  values: Values
  body: string
  /** Whether there is one; a line of the text may look like the beginning of one. */
  hasFrontMatter: boolean
  /** Whether nothing of it can be read. */
  isDamaged: boolean
}

const FENCED = /^(---|\+\+\+)[ \t\r]*\n([\s\S]{0,30000}?)(?<=\n)(?:\1|\.\.\.)[ \t\r]*(?:\n|$)/
const OBJECT = /^(\{)([\s\S]{0,30000}?\n)\}[ \t\r]*(?:\n|$)/
const LINE = /^([\w][\w-]{0,60}):[ \t]+(\S[^\n]*)$/
/**
 * Lines at the top without a fence, as of Pelican, old Hexo, Bear Blog, and Notion, which has them
 * below the title.
 */
const BARE =
  /^(# [^\n]{1,500}\n\s*)?((?:[A-Za-z][\w ]{0,40}:[ \t][^\n]{0,2000}\n){2,40})(?:-{3,}|_{3,}|(?=[ \t]*\n))[ \t]*/
const BARE_NAMES = /^(?:title|date|created|created_time|tags|status)$/
const YAML_OPTIONS = {
  uniqueKeys: false,
  logLevel: 'error',
  prettyErrors: false,
  // Nested aliases would fill the memory.
  maxAliasCount: 50,
} as const

export function readFrontMatter(text: string): FrontMatter {
  const start = text.replace(/^\ufeff/, '').trimStart()
  const [whole, fence = '', head = ''] = FENCED.exec(start) ?? OBJECT.exec(start) ?? []
  const source = head.replaceAll('\r', '')
  const parsed = whole === undefined ? undefined : parseValues(fence, source)
  if (whole === undefined || (fence === '{' && !parsed))
    return (
      readBare(start.replaceAll('\r', '')) ?? {
        values: {},
        body: text,
        hasFrontMatter: false,
        isDamaged: false,
      }
    )
  const values = parsed ?? readLines(source)
  const isDamaged = !parsed && Object.keys(values).length === 0
  return { values, body: start.slice(whole.length), hasFrontMatter: true, isDamaged }
}

function readBare(start: string): FrontMatter | undefined {
  const [whole, heading = '', lines = ''] = BARE.exec(start) ?? []
  if (whole === undefined) return undefined
  const values: Record<string, unknown> = {}
  for (const line of lines.split('\n')) {
    const [name = ''] = line.split(':', 1)
    if (name !== '')
      values[name.toLowerCase().replaceAll(' ', '_')] = line.slice(name.length + 1).trim()
  }
  if (!Object.keys(values).some((name) => BARE_NAMES.test(name))) return undefined
  const body = heading + start.slice(whole.length)
  return { values, body, hasFrontMatter: true, isDamaged: false }
}

/** @returns undefined for values that are none, such as those of a table in the text */
export function parseValues(fence: string, source: string): Values | undefined {
  try {
    const value: unknown = parse(fence, source)
    const isObject = typeof value === 'object' && !Array.isArray(value)
    return isObject ? ((value ?? {}) as Values) : undefined
  } catch {
    return undefined
  }
}

function parse(fence: string, source: string): unknown {
  if (fence === '{') return JSON.parse(`{${source}}`)
  // As JSON, its dates are texts.
  if (fence === '+++') return JSON.parse(JSON.stringify(parseToml(source)))
  return parseYaml(source, YAML_OPTIONS)
}

function readLines(source: string): Values {
  const values: Values = {}
  for (const line of source.split('\n')) {
    const [, name, value = ''] = LINE.exec(line) ?? []
    if (name) values[name] = value.trim().replace(/^(["'])([^"']*)\1$/, '$2')
  }
  return values
}
