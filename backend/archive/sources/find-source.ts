// Chooses the source that can read an export, by its content.
import { ghost } from './ghost.ts'
import { markdown } from './markdown.ts'
import { medium } from './medium.ts'
import type { FileTree, Source } from './source.ts'
import { substack } from './substack.ts'
import { wordpress } from './wordpress.ts'

const SOURCES: readonly Source[] = [wordpress, ghost, medium, substack, markdown]

export async function findSource(tree: FileTree): Promise<Source | undefined> {
  for (const source of SOURCES) if (await source.recognise(tree)) return source
  return undefined
}
