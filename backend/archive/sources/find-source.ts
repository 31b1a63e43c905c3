// Chooses the source that can read an export, by its content.
import { markdown } from './markdown.ts'
import type { FileTree, Source } from './source.ts'
import { wordpress } from './wordpress.ts'

const SOURCES: readonly Source[] = [wordpress, markdown]

export async function findSource(tree: FileTree): Promise<Source | undefined> {
  for (const source of SOURCES) if (await source.recognise(tree)) return source
  return undefined
}
