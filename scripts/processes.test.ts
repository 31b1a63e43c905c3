import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findPort } from './processes.ts'

/** The number of this state in /proc/net/tcp. */
const TIME_WAIT = '06'

test.runIf(process.platform === 'linux')(
  'a free port stays reserved until the caller listens: the system assigns it to nobody else',
  async () => {
    const port = await findPort()
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`)))
    const states = tables
      .flatMap((table) => table.toString().split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local]) => local?.endsWith(`:${hex}`))
      .map(([, , , state]) => state)
    expect(states).toEqual([TIME_WAIT])
    const server = createServer().listen(port)
    await once(server, 'listening')
    server.close()
  },
)
