// Chooses the source that can read an export, by its content.
import { api } from './api.ts'
import { archive } from './archive.ts'
import { ghost } from './ghost.ts'
import { markdown } from './markdown.ts'
import { medium } from './medium.ts'
import { type FileTree, type Source, SourceProblem } from './source.ts'
import { substack } from './substack.ts'
import { wordpress } from './wordpress.ts'

const SOURCES: readonly Source[] = [archive, wordpress, ghost, medium, substack, markdown]

/**
 * @param options `mayUseNetwork` for the command line alone: an uploaded file must not make this
 *   server send requests
 * @throws SourceProblem for an archive of this program that is damaged, or newer than the program,
 *   and for an export that is in a further zip
 */
export async function findSource(
  tree: FileTree,
  { mayUseNetwork = false } = {},
): Promise<Source | undefined> {
  const sources = mayUseNetwork ? [api, ...SOURCES] : SOURCES
  for (const source of sources) if (await source.recognise(tree)) return source
  for await (const { path } of tree.list())
    if (/\.zip$/i.test(path))
      throw new SourceProblem(
        `${path} is a zip in the export. Unpack it, and import what is in it.`,
      )
  return undefined
}
