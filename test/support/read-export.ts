// Reads an export with its source, and collects what the source found.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openFileTree } from '#backend/archive/sources/file-tree.ts'
import { findSource } from '#backend/archive/sources/find-source.ts'
import type {
  FileTree,
  SourceComment,
  SourceIssue,
  SourcePerson,
  SourcePicture,
  SourcePost,
  SourceSite,
} from '#backend/archive/sources/source.ts'
import type { ImportIssue } from '#contract/archive.ts'
import { findTempFolder } from './temp-folder.ts'

export type Found = {
  kind: string
  site: SourceSite | undefined
  people: SourcePerson[]
  posts: SourcePost[]
  comments: SourceComment[]
  pictures: SourcePicture[]
  issues: ImportIssue[]
}

/** @param files by their path; the name of a single file is not looked at */
export async function readExport(
  files: Record<string, string | Buffer>,
  oldAddress = '',
): Promise<Found> {
  const folder = await mkdtemp(join(await findTempFolder(), 'export-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    return await readExportAt(folder, oldAddress)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param path of a file, a folder or a zip */
export async function readExportAt(path: string, oldAddress = ''): Promise<Found> {
  const tree = await openFileTree(path)
  try {
    return await readTree(tree, oldAddress)
  } finally {
    await tree.close()
  }
}

async function readTree(tree: FileTree, oldAddress: string): Promise<Found> {
  const source = await findSource(tree, { mayUseNetwork: true })
  const found: Found = {
    kind: source?.kind ?? '',
    site: undefined,
    people: [],
    posts: [],
    comments: [],
    pictures: [],
    issues: [],
  }
  const sink = {
    site(site: SourceSite) {
      found.site = site
    },
    person(person: SourcePerson) {
      if (!found.people.some(({ key }) => key === person.key)) found.people.push(person)
    },
    post: (post: SourcePost) => void found.posts.push(post),
    comment: (comment: SourceComment) => void found.comments.push(comment),
    picture: (picture: SourcePicture) => void found.pictures.push(picture),
    leaveOut: (issue: SourceIssue) => void found.issues.push({ post: '', detail: '', ...issue }),
    progress() {},
  }
  await source?.read(tree, sink, { signal: new AbortController().signal, oldAddress })
  return found
}
