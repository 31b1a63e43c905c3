// The version of this program, as package.json says.
import { readFile } from 'node:fs/promises'

export async function readProgramVersion(): Promise<string> {
  const path = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  return version
}
