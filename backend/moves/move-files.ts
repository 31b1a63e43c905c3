// Copies the bytes that rows name from where they are to another place, and reads each of them
// again there. Bytes that are there already and are right stay: so it goes on after a kill.
import { createHash } from 'node:crypto'
import { CutShort, type Keeper } from '../files/keeper.ts'
import { MoveProblem } from './problem.ts'
import { findUnnamed, readBatches } from './rows-store.ts'
import type { Side } from './side-store.ts'
import { MOVED_TABLES } from './tables.ts'

/** Finished files, or chunks of unfinished uploads. */
export type BytesTable = 'file' | 'fileChunk'
/** `md5` is empty where the row has none. */
type Named = { name: string; md5: string }
export type Bytes = { table: BytesTable; from: Keeper; to: Keeper }
/** `lost`: bytes that are missing or damaged at the source, a line for each. */
export type FilesMoved = { copied: number; found: number; lost: string[] }

const AT_ONCE = 8
const NAMES_AT_ONCE = 1000
const STORED_NAME = /^[0-9a-f]{20}-[0-9a-f]{16}$/

/** @throws MoveProblem when there are files that no row of the source names */
export async function requireNoOthers(side: Side, { table, to }: Bytes): Promise<void> {
  let names: string[] = []
  const look = async () => {
    const [first] = names.length > 0 ? await findUnnamed(side, table, names) : []
    if (first !== undefined)
      throw new MoveProblem(
        `The new place for files is not empty: it has ${first}, which this blog does not know. Name an empty bucket, or move the contents of the folder "files" away`,
      )
    names = []
  }
  for await (const { name } of to.list()) {
    if (STORED_NAME.test(name)) names.push(name)
    if (names.length >= NAMES_AT_ONCE) await look()
  }
  await look()
}

/** @throws MoveProblem when the new place does not keep what it is given */
export async function copyBytes(
  side: Side,
  bytes: Bytes,
  note: (done: number) => void,
): Promise<FilesMoved> {
  const moved: FilesMoved = { copied: 0, found: 0, lost: [] }
  const table = MOVED_TABLES.find(({ name }) => name === bytes.table)
  if (!table) throw new Error(`The table ${bytes.table} is not moved`)
  for await (const rows of readBatches(side, table, undefined)) {
    const named = rows
      .filter((row) => bytes.table === 'fileChunk' || Number(row.isComplete) === 1)
      .map((row) => ({ name: String(row.storedName), md5: String(row.signature ?? '') }))
    await inParallel(named, (one) => bring(bytes, one, moved))
    note(rows.length)
  }
  return moved
}

async function inParallel<One>(all: One[], work: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const run = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one)
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, run))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

async function bring({ from, to }: Bytes, { name, md5 }: Named, moved: FilesMoved): Promise<void> {
  const wanted = md5 || (await hash(from, name))
  const there = await hash(to, name)
  if (there !== undefined && there === wanted) {
    moved.found++
    return
  }
  const bytes = await from.open(name)
  if (!bytes) {
    moved.lost.push(`${name} is missing`)
    return
  }
  // What a kill left of an earlier attempt.
  await to.remove(`${name}.part`)
  const { signature } = await to.put(name, bytes, Number.MAX_SAFE_INTEGER)
  if (md5 !== '' && signature !== md5) moved.lost.push(`${name} is damaged, and copied as it is`)
  if ((await hash(to, name)) !== signature)
    throw new MoveProblem(`The new place has other bytes of ${name} than it was given`)
  moved.copied++
}

/** @returns undefined when there are none */
async function hash(keeper: Keeper, name: string): Promise<string | undefined> {
  try {
    const bytes = await keeper.open(name)
    if (!bytes) return undefined
    const md5 = createHash('md5')
    for await (const piece of bytes as AsyncIterable<Uint8Array>) md5.update(piece)
    return md5.digest('hex')
  } catch (error) {
    if (error instanceof CutShort) return undefined
    throw error
  }
}
