// Reads the rows of a large JSON file one after the other: only as much of it is in memory as one
// row takes. Each row is parsed as a whole; this only finds where it begins and ends.
import { openFile } from './file-tree.ts'
import { type FileTree, SourceProblem } from './source.ts'

export type JsonRow = { table: string; row: Record<string, unknown> }

const ROW_MAX_CHARS = 20_000_000
const LEVELS_MAX = 500
const KEY_MAX_CHARS = 100

type Container = { isArray: boolean; name: string; key: string }

/**
 * The elements of the arrays in the object `data`, by the name of the array, and the object `meta`.
 *
 * @throws SourceProblem when the file is damaged
 */
export async function* readJsonRows(
  tree: FileTree,
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<JsonRow> {
  const decoder = new TextDecoder()
  const finder = makeRowFinder(path)
  for await (const chunk of await openFile(tree, path)) {
    yield* finder.find(decoder.decode(chunk, { stream: true }))
    onBytes(chunk.length)
  }
  finder.end()
}

function makeRowFinder(path: string) {
  const open: Container[] = []
  let isString = false
  let isEscaped = false
  let text = ''
  let row: { table: string; level: number; parts: string[]; chars: number } | undefined
  let start = 0

  const begin = (isArray: boolean, at: number) => {
    const top = open.at(-1)
    const name = top && !top.isArray ? top.key : ''
    const table = tableOf(open, name, isArray)
    open.push({ isArray, name, key: '' })
    if (open.length > LEVELS_MAX) throw new SourceProblem(`${path} is nested too deeply.`)
    if (row || table === undefined) return
    row = { table, level: open.length, parts: [], chars: 0 }
    start = at
  }
  const keep = (part: string) => {
    if (!row) return
    row.chars += part.length
    if (row.chars > ROW_MAX_CHARS) throw new SourceProblem(`${path} has a row that is too long.`)
    row.parts.push(part)
  }
  return {
    *find(chunk: string): Generator<JsonRow> {
      start = 0
      for (let at = 0; at < chunk.length; at++) {
        const char = chunk[at]
        if (isString) {
          if (isEscaped) isEscaped = false
          else if (char === '\\') isEscaped = true
          else if (char === '"') isString = false
          if (isString && !row && text.length < KEY_MAX_CHARS) text += char
        } else if (char === '"') {
          isString = true
          text = ''
        } else if (char === ':') {
          const top = open.at(-1)
          if (top) top.key = text
        } else if (char === '{' || char === '[') begin(char === '[', at)
        else if (char === '}' || char === ']') {
          if (row && open.length === row.level) {
            keep(chunk.slice(start, at + 1))
            yield { table: row.table, row: parseRow(row.parts.join(''), path) }
            row = undefined
          }
          open.pop()
        }
      }
      keep(chunk.slice(start))
    },
    end() {
      if (open.length > 0) throw new SourceProblem(`${path} is damaged: it ends in the middle.`)
    },
  }
}

/** @returns the table when a row begins here */
function tableOf(open: readonly Container[], name: string, isArray: boolean): string | undefined {
  if (isArray) return undefined
  if (name === 'meta') return name
  const array = open.at(-1)
  return array?.isArray && open.at(-2)?.name === 'data' ? array.name : undefined
}

function parseRow(text: string, path: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new SourceProblem(`${path} is damaged: it is no JSON.`, 0, { cause })
  }
}
