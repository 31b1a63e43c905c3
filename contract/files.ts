// Shapes of files (api.md §4.1).

/**
 * A stored file, as every answer describes it. Never its bytes: those come from `view`, `download`
 * and `preview` (api.md §4.4, §4.5).
 */
export type FileModel = {
  /** As `isId` allows; unique within the bucket. */
  $id: string
  bucketId: string
  /** ISO 8601 in UTC with milliseconds, ending in `+00:00`. */
  $createdAt: string
  $updatedAt: string
  /** Permission strings, such as `read("any")`. */
  $permissions: string[]
  /** As the uploader named it, without path or control characters; never used as a path. */
  name: string
  /** MD5 of the stored bytes, hex; empty while the upload is unfinished. */
  signature: string
  /** `image/png`, `image/jpeg` or `image/gif`; empty while the upload is unfinished. */
  mimeType: string
  /** Bytes as stored; as announced while the upload is unfinished. */
  sizeOriginal: number
  /** 1 for a file that came in one request. */
  chunksTotal: number
  /** How many chunks are there without a gap from the first; all of them once complete. */
  chunksUploaded: number
}

/** One page of files. `total` counts all that the caller may list, at most 5,000 (api.md §3.4). */
export type FileList = { total: number; files: FileModel[] }

/**
 * A place that uses a file. `postId` and `title` are those of a post of one's own: `version` is an
 * earlier text of it, `deleted` a deleted post that can still be brought back.
 */
export type FileUse =
  | { place: 'cover' | 'body'; postId: string; title: string }
  | { place: 'version'; postId: string; title: string }
  | { place: 'deleted'; title: string }
  | { place: 'avatar' }
  | { place: 'elsewhere' }

/**
 * One of one's own files, unfinished uploads included, with what uses it. `elsewhere`: a post of
 * somebody else.
 */
export type OwnFile = Pick<
  FileModel,
  '$id' | 'bucketId' | '$createdAt' | 'name' | 'mimeType' | 'sizeOriginal'
> & { isComplete: boolean; uses: FileUse[] }

/** One page of one's own files, the newest first, and how much space all of them take. */
export type OwnFiles = {
  total: number
  /** How many complete files nothing uses. */
  unused: number
  usedBytes: number
  maxBytes: number
  files: OwnFile[]
  /** The `cursor` of the next page; empty after the last one. */
  next: string
}
