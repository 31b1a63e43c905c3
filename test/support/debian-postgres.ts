// A PostgreSQL of the same version as this host's pg_dump, as Debian packages both. The server
// from npm (postgres.ts) comes without pg_dump.
import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPort } from '#scripts/processes.ts'
import { findTempFolder } from './temp-folder.ts'

const VERSIONS = '/usr/lib/postgresql'
const USER = 'postgres'

export type DebianPostgres = AsyncDisposable & {
  /** A new, empty database. @returns its address */
  makeDatabase(name: string): Promise<string>
}

/** The folder with the programs of the newest version; undefined when there is none. */
export async function findDebianPostgres(): Promise<string | undefined> {
  const versions = (await readdir(VERSIONS).catch(() => [])).toSorted((a, b) => +b - +a)
  for (const version of versions) {
    const folder = join(VERSIONS, version, 'bin')
    if (await stat(join(folder, 'initdb')).catch(() => undefined)) return folder
  }
  return undefined
}

/** Starts a server that ends with its scope. @param programs as `findDebianPostgres` returns it */
export async function startDebianPostgres(programs: string): Promise<DebianPostgres> {
  await using starting = new AsyncDisposableStack()
  const serverFolder = starting.use(await makeServerFolder(programs))
  const init = ['-U', 'blog', '--auth=trust', '--encoding=UTF8', '--locale=C']
  await serverFolder.run('initdb', ['-D', serverFolder.data('primary'), ...init])
  const port = await serverFolder.start('primary')
  const started = starting.move()
  return {
    async makeDatabase(name) {
      await runSql(addressOf(port, 'postgres'), `create database ${name}`)
      return addressOf(port, name)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

type ServerFolder = AsyncDisposable & {
  data(name: string): string
  run(program: string, args: string[]): Promise<unknown>
  /** @returns the port */
  start(name: string): Promise<number>
  stop(name: string): Promise<void>
}

/** A folder for the data of servers, and their user: PostgreSQL refuses to run as root. */
async function makeServerFolder(programs: string): Promise<ServerFolder> {
  const folder = await mkdtemp(join(await findTempFolder(), 'lamplight-debian-pg-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => idOf(flag)))
    await chown(folder, uid ?? 0, gid ?? 0)
  }
  await chmod(folder, 0o755)
  const data = (name: string) => join(folder, name)
  const run: ServerFolder['run'] = (program, args) => {
    const path = join(programs, program)
    const options = { cwd: folder }
    return isRoot
      ? promisify(execFile)('runuser', ['-u', USER, '--', path, ...args], options)
      : promisify(execFile)(path, args, options)
  }
  const running = new Set<string>()
  const stop = async (name: string) => {
    if (running.delete(name)) await run('pg_ctl', ['-D', data(name), '-m', 'immediate', 'stop'])
  }
  return {
    data,
    run,
    stop,
    async start(name) {
      const port = await findPort()
      const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
      const log = join(folder, `${name}.log`)
      await run('pg_ctl', ['-D', data(name), '-w', '-o', settings, '-l', log, 'start'])
      running.add(name)
      return port
    },
    async [Symbol.asyncDispose]() {
      for (const name of running) await stop(name)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function addressOf(port: number, database: string): string {
  return `postgres://blog:secret@127.0.0.1:${port}/${database}`
}

async function runSql(address: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows[0]?.found
}

async function idOf(flag: string): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, USER])).stdout)
}
