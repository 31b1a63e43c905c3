// Finds references to documents in comments and documents, and those that lead nowhere. A reference
// is `api.md §2.4`, `product.md §O17`, `threat-model.md §3 "Password"`, `operating.md "Backup"` or
// `decision 0011`.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** Documents with numbered sections. */
const NUMBERED = ['api.md', 'product.md', 'threat-model.md']
const SECTION = String.raw`(?:O\d+|\d+(?:\.\d+)*)`
const LABEL = '(?:"[^"]+"|`[^`]+`|step \\d+|trap \\d+)'
/** A document and some of its sections: `api.md §3.2 "POST", §3.4`. */
const CHAIN = new RegExp(
  String.raw`([\w/-]+\.md|RFC \d+)((?:(?:,|;)? (?:and )?§+${SECTION}(?: ${LABEL})?)+)`,
  'g',
)
const LINK = new RegExp(`§(${SECTION})(?: (${LABEL}))?`, 'g')
const NAMED_HEADING = /([\w/-]+\.md) "([^"]+)"/g
const DECISION = /\bdecisions? (\d{4})\b/g
const MENTION = /(?<![\w/.-])([\w/-]+\.md)\b/g
/** Names of sources that are not in the repository. */
const UNKNOWN = [
  /\b(?:contract|spec|design|stack|issue|rulings?|house style)[\w.-]* §/i,
  /\b(?:the|this|by|of) spec\b/i,
  /\bspecification\b/i,
  /\brulings? O?\d/i,
  /\bissues? #?\d/i,
  /\bhouse[- ]style\b/i,
  /\bstack\.md\b/i,
  /\bmock-?ups?\b/i,
  /\bdesign (?:§|`)/i,
]

/** Matches any text that may contain a reference: other sources need no parsing. */
const MAY_REFER = /§|\.md\b|\bO\d|\b(?:decision|spec|ruling|issue|house|mock-?up|design|threat)/i

/** References without the name of their document, which comments must give. */
const BARE = [/(?<![§\w])O\d{1,2}\b(?!\()/, /\bthreat model\b/i]

const decisions = new Set(
  globSync('docs/decisions/*.md').map((path) => /(\d{4})-[\w-]+\.md$/.exec(path)?.[1]),
)
const read = memoised((path: string) => readFileSync(path, 'utf8').split('\n'))
/** Documents are named by their path, or by their name alone. */
const pathOf = memoised((name: string) => [name, `docs/${name}`].find((path) => existsSync(path)))

/** A text to check. A document may also refer to its own sections without its name. */
export type ReferringText = { file: string; text: string; isDocument: boolean }

/** Every comment of the sources, and every document, each as one line of text. */
export function referringTexts(): ReferringText[] {
  const sources = globSync(
    ['{backend,contract,scripts,shims,test,web}/**/*.{ts,tsx,js,css,py}', '*.ts'],
    { exclude: ['**/node_modules/**'] },
  )
  return [
    ...sources.flatMap((file) => {
      const code = readFileSync(file, 'utf8')
      if (!MAY_REFER.test(code)) return []
      return commentsOf(file, code).map((text) => ({ file, text, isDocument: false }))
    }),
    ...pages().map((file) => ({
      file,
      text: joined(readFileSync(file, 'utf8')),
      isDocument: true,
    })),
  ]
}

/** @returns one line for each reference that leads nowhere */
export function referenceFaults({ file, text, isDocument }: ReferringText): string[] {
  const describeFault = (words: string) => `${file}: ${words}`
  const chains = [...text.matchAll(CHAIN)]
  const remainder = text.replace(CHAIN, '')
  return [
    ...chains.flatMap(([all, name = '', sections = '']) =>
      name.startsWith('RFC')
        ? []
        : sectionFaults(name, sections).map((fault) => describeFault(`${all}: ${fault}`)),
    ),
    ...(isDocument && remainder.includes('§')
      ? sectionFaults(file, remainder).map(describeFault)
      : []),
    ...(!isDocument && remainder.includes('§')
      ? [describeFault(`a section of no document: ${excerptAround(remainder, '§')}`)]
      : []),
    ...[...text.matchAll(NAMED_HEADING)].flatMap(([all, name = '', heading = '']) =>
      hasHeading(name, heading) ? [] : [describeFault(`${all}: there is no such heading`)],
    ),
    ...[...text.matchAll(DECISION)].flatMap(([all, number]) =>
      decisions.has(number) ? [] : [describeFault(`${all}: there is none`)],
    ),
    ...[...text.matchAll(MENTION)].flatMap(([, name = '']) =>
      pathOf(name) === undefined ? [describeFault(`${name}: there is no such document`)] : [],
    ),
    ...[...UNKNOWN, ...(isDocument ? [] : BARE)].flatMap((pattern) => {
      const [match] = pattern.exec(remainder) ?? []
      return match === undefined
        ? []
        : [describeFault(`"${match}" names what is not in the repository`)]
    }),
  ]
}

function pages(): string[] {
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
}

function sectionFaults(name: string, sections: string): string[] {
  const path = pathOf(name)
  if (path === undefined) return []
  if (!NUMBERED.some((one) => path.endsWith(`/${one}`))) return ['it has no numbered sections']
  return [...sections.matchAll(LINK)].flatMap(([, section = '', label]) => {
    const heading = sectionOf(path, section)
    if (heading === undefined) return [`§${section} is no section of it`]
    return label === undefined || hasLabel(heading, label)
      ? []
      : [`${label} is nothing in §${section}`]
  })
}

/** The lines of a section, its own heading first; undefined when there is none. */
function sectionOf(path: string, section: string): string[] | undefined {
  const lines = read(path)
  const at = lines.findIndex((line) =>
    new RegExp(`^#{2,3} ${section.replaceAll('.', '[.]')}[. ]`).test(line),
  )
  if (at === -1) return undefined
  const depth = /^#+/.exec(lines[at] ?? '')?.[0].length ?? 0
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => {
    const marks = /^#+(?= )/.exec(line)
    return marks !== null && marks[0].length <= depth
  })
  return [lines[at] ?? '', ...(end === -1 ? rest : rest.slice(0, end))]
}

/**
 * A label is a heading, a word in bold, or the beginning of a table's row; a step is an item of a
 * list.
 */
function hasLabel(section: string[], label: string): boolean {
  const [, number] = /^(?:step|trap) (\d+)$/.exec(label) ?? []
  if (number !== undefined) return section.some((line) => line.startsWith(`${number}. `))
  const words = label.slice(1, -1)
  return section.some((line) => {
    const [, heading = ''] = /^#+ (.*)$/.exec(line) ?? []
    const [, cell = ''] = /^\| ([^|]*)/.exec(line) ?? []
    return (
      heading.includes(words) ||
      cell.replace(/[`*"]/g, '').startsWith(words) ||
      line.includes(`**${words}**`)
    )
  })
}

function hasHeading(name: string, heading: string): boolean {
  const path = pathOf(name)
  return path !== undefined && read(path).some((line) => line.replace(/^#+ /, '') === heading)
}

function memoised<Value>(work: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>()
  return (key) => {
    const value = values.get(key) ?? work(key)
    values.set(key, value)
    return value
  }
}

/** The comments of a source, neighbouring ones as one. */
function commentsOf(file: string, code: string): string[] {
  if (/\.(?:css|py)$/.test(file))
    return [...code.matchAll(/\/\*[\s\S]*?\*\/|^\s*#.*$/gm)].map(([comment]) => plain(comment))
  const { comments } = parseSync(file, code)
  const matches: { end: number; text: string }[] = []
  for (const { start, end, value } of comments) {
    const last = matches.at(-1)
    if (last && code.slice(last.end, start).trim() === '') {
      last.text += ` ${value}`
      last.end = end
    } else matches.push({ end, text: value })
  }
  return matches.map(({ text }) => plain(text))
}

/** The text of a comment in one line, without comment marks. */
function plain(comment: string): string {
  return joined(comment.replace(/^\s*(?:\/\*+|\*\/|\*|#+)/gm, ' ').replace(/\*\/$/, ''))
}

function joined(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function excerptAround(text: string, found: string): string {
  const at = text.indexOf(found)
  return text.slice(Math.max(0, at - 30), at + 20)
}
