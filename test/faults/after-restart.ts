// Checks acknowledged writes after a restart of the blog.
import { startServer } from '#test/support/process.ts'
import { findLost, findRowsWithoutBytes, type Person, type Written } from './writing.ts'

/** @returns lost writes, and a fault for file rows without bytes */
export async function checkAfterRestart(
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
