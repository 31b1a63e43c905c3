// Checks that the server can listen on its configured address, before it creates or opens anything.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../settings/config.ts'
import { SettingError } from '../settings/setting-definitions.ts'

/** @throws SettingError that names the setting to change */
export async function requireFreePort({ host, port }: Pick<Config, 'host' | 'port'>) {
  const server = createServer()
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new SettingError(PROBLEMS[code ?? '']?.(port, host) ?? `PORT, HOST: ${code}`, { cause })
  } finally {
    server.close()
  }
}

type Describe = (port: number, host: string) => string

const PROBLEMS: Readonly<Record<string, Describe>> = {
  EADDRINUSE: (port) =>
    `PORT: another program uses port ${port} of this machine. Choose another one: PORT=${port + 1}`,
  EACCES: (port) => `PORT: port ${port} is reserved. Choose one above 1023`,
  EADDRNOTAVAIL: (_port, host) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (_port, host) => `HOST: ${host} is not an address of this machine`,
}
