// A PostgreSQL of the same version as this machine's pg_dump, as Debian packages both. The server
// from npm (postgres.ts) comes without pg_dump.
import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPort } from '#scripts/processes.ts'

const VERSIONS = '/usr/lib/postgresql'
const USER = 'postgres'

export type DebianPostgres = AsyncDisposable & {
  /** A new, empty database. @returns its address */
  makeDatabase(name: string): Promise<string>
}

/** The folder of the programs of the newest version; undefined when there is none. */
export async function findDebianPostgres(): Promise<string | undefined> {
  const versions = (await readdir(VERSIONS).catch(() => [])).toSorted((a, b) => +b - +a)
  for (const version of versions) {
    const folder = join(VERSIONS, version, 'bin')
    if (await stat(join(folder, 'initdb')).catch(() => undefined)) return folder
  }
  return undefined
}

/** Starts a server of its own, gone with its scope. @param programs as found above */
export async function startDebianPostgres(programs: string): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-debian-pg-'))
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => idOf(flag)))
    await chown(folder, uid ?? 0, gid ?? 0)
  }
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const port = await findPort()
  const run = (program: string, args: string[]) => {
    const path = join(programs, program)
    const options = { cwd: folder }
    return isRoot
      ? promisify(execFile)('runuser', ['-u', USER, '--', path, ...args], options)
      : promisify(execFile)(path, args, options)
  }
  await run('initdb', ['-D', data, '-U', 'blog', '--auth=trust', '--encoding=UTF8', '--locale=C'])
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
  await run('pg_ctl', ['-D', data, '-w', '-o', settings, '-l', join(folder, 'log'), 'start'])
  const address = `postgres://blog:secret@127.0.0.1:${port}`
  return {
    async makeDatabase(name) {
      const client = new pg.Client({ connectionString: `${address}/postgres` })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return `${address}/${name}`
    },
    async [Symbol.asyncDispose]() {
      await run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function idOf(flag: string): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, USER])).stdout)
}
