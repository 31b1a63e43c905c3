// What an export of another program is read into: people, posts, comments and pictures, in any
// order. Reading is a dry run: a source only parses, and nothing of this blog is read or written.

import type { Readable } from 'node:stream'
import type { ImportIssue, SourceKind } from '#contract/archive.ts'

export type TreeFile = {
  path: string
  sizeBytes: number
  /** ISO 8601 in UTC. */
  modifiedAt: string
}

/** The files of an export: one file, a folder, or the contents of a zip. */
export type FileTree = {
  /** The name of the file or folder, for messages. */
  name: string
  /** Paths are relative, with `/`, in normal form, without `..`. */
  list(): AsyncIterable<TreeFile>
  /** @returns undefined when there is no such file */
  open(path: string): Promise<Readable | undefined>
  close(): Promise<void>
}

/** The site that was exported. Texts may be empty. */
export type SourceSite = {
  /** Such as `WordPress 6.8`. */
  program: string
  name: string
  description: string
  /** The address of its home page. Relative addresses of posts and pictures are below it. */
  url: string
}

export type SourcePerson = {
  /** Unique in the export. */
  key: string
  name: string
  email: string
}

/** A picture as a post names it. */
export type SourcePicture = {
  /** An address, or a path in the {@link FileTree} with `tree:` before it. */
  url: string
  alt: string
  /** Plain text. */
  caption: string
}

export type SourcePost = {
  /** The same in each export of that site, such as an id or a path. */
  key: string
  kind: 'post' | 'page'
  title: string
  /**
   * Not cleaned yet, in the HTML that this blog's editor writes (code samples, galleries,
   * footnotes, embeds). Addresses of pictures and links are as in the export, resolved against
   * `url`, or `tree:` and the path of a file.
   */
  html: string
  status: 'published' | 'draft' | 'private' | 'scheduled'
  /** ISO 8601 in UTC; empty when the export has none. A scheduled post is published then. */
  publishedAt: string
  createdAt: string
  updatedAt: string
  /** Keys of people; the first one is the author. May be empty. */
  authors: string[]
  /** Tags and categories as they are written, in their order. */
  tags: string[]
  /** Plain text; empty for none. */
  excerpt: string
  cover: SourcePicture | undefined
  /** Where it is in the old site: a full address, or `tree:` and a path. */
  url: string
  /** Its further paths there, such as `/?p=12`, each beginning with `/`. */
  addresses: string[]
  /** Such as `a-day-at-sea`; empty for none. */
  addressWords: string
  metaTitle: string
  metaDescription: string
  canonicalUrl: string
  areCommentsClosed: boolean
}

export type SourceComment = {
  key: string
  postKey: string
  /** Empty at the top level. */
  parentKey: string
  authorName: string
  authorEmail: string
  createdAt: string
  /** HTML, or plain text with its line breaks. */
  text: string
  isHtml: boolean
  isApproved: boolean
}

/** What is left out. Its `post` and `detail` are empty when they are not given. */
export type SourceIssue = Pick<ImportIssue, 'what' | 'name' | 'reason'> & Partial<ImportIssue>

/** Takes what a source reads. Writes to the disk at once, so that sources need no memory. */
export type ImportSink = {
  site(site: SourceSite): void
  /** May be called again for the same person. */
  person(person: SourcePerson): void
  post(post: SourcePost): void
  comment(comment: SourceComment): void
  /** A picture of the media library, for its texts; posts name those that they show. */
  picture(picture: SourcePicture): void
  leaveOut(issue: SourceIssue): void
  /** @param done bytes, or files, of `total` */
  progress(done: number, total: number): void
}

export type Source = {
  kind: SourceKind
  /** Whether the content, not the name, is of this kind. Reads only a beginning of files. */
  recognise(tree: FileTree): Promise<boolean>
  /** @throws SourceProblem when the export cannot be read */
  read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void>
}

export type ReadOptions = {
  signal: AbortSignal
  /** The address of the old site, as the person entered it; empty for none. */
  oldAddress: string
}

/** The message is one sentence for the person who imports; `line` counts from 1, 0 for none. */
export class SourceProblem extends Error {
  readonly line: number
  constructor(message: string, line = 0, options?: ErrorOptions) {
    super(message, options)
    this.line = line
  }
}
