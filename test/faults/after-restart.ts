// What a new start of the blog finds of what was acknowledged before.
import { startServer } from '#test/support/process.ts'
import { findLost, findRowsWithoutBytes, type Person, type Written } from './writing.ts'

/** @returns what is lost, and a fault for rows whose bytes are not there */
export async function lookAfterRestart(
  dataDir: string,
  { person, written }: { person: Person; written: Written[] },
  env: Record<string, string> = {},
): Promise<{ lost: string[]; faults: string[] }> {
  const server = await startServer(dataDir, env)
  const lost = await findLost(server.url, person, written)
  const empty = await findRowsWithoutBytes(server.url, person)
  await server.stop()
  return { lost, faults: empty.length > 0 ? [`rows without bytes: ${empty.join(', ')}`] : [] }
}
