// stub, replaced by the pages work: loads build/server and the manifest of build/client
import type { Pages } from './routes.ts'

export async function readBuiltPages(): Promise<Pages | undefined> {
  return undefined
}
