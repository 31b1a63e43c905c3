// Shapes of files (api.md §4.1, §15.6).
import Type, { type Static } from 'typebox'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const count = (description?: string) =>
  Type.Integer(description === undefined ? {} : { description })

/**
 * The metadata of a stored file. `view`, `download` and `preview` return its bytes
 * (api.md §4.4, §4.5).
 */
export const FileModel = Type.Object(
  {
    $id: text(),
    bucketId: text(),
    $createdAt: text(),
    $updatedAt: text(),
    $permissions: Type.Array(text()),
    name: text('As the uploader named it, without path or control characters'),
    signature: text('MD5 of the stored bytes, hex; "" while the upload is unfinished'),
    mimeType: text('image/png, image/jpeg or image/gif; "" while the upload is unfinished'),
    sizeOriginal: count('Stored bytes; the announced size while the upload is unfinished'),
    chunksTotal: count('1 for a file that was sent in one request'),
    chunksUploaded: count('Chunks without a gap from the first'),
  },
  { $id: 'File' },
)
export type FileModel = Static<typeof FileModel>

/** Where a file is used. `postId` and `title` name a post by the caller. */
export type FileUse =
  | { place: 'cover' | 'body'; postId: string; title: string }
  | { place: 'version'; postId: string; title: string }
  | { place: 'deleted'; title: string }
  | { place: 'avatar' }
  | { place: 'elsewhere' }
const FileUse = Type.Unsafe<FileUse>({
  type: 'object',
  required: ['place'],
  properties: {
    place: {
      enum: ['cover', 'body', 'avatar', 'version', 'deleted', 'elsewhere'],
      description: 'version: an earlier text of an own post; elsewhere: a post of another user',
    },
    postId: text(),
    title: text(),
  },
})

/** A file of the caller, unfinished uploads included, with its uses. */
export const OwnFile = Type.Object(
  {
    ...Type.Pick(FileModel, ['$id', 'bucketId', '$createdAt', 'name', 'mimeType', 'sizeOriginal'])
      .properties,
    isComplete: Type.Boolean(),
    uses: Type.Array(FileUse),
  },
  { $id: 'OwnFile' },
)
export type OwnFile = Static<typeof OwnFile>

/** One page of the caller's files, the newest first, and the space that all files take. */
export const OwnFiles = Type.Object(
  {
    total: count('All files, on every page'),
    unused: count('Complete files that nothing uses'),
    usedBytes: count('Of all files'),
    maxBytes: count(),
    files: Type.Array(OwnFile),
    next: text('The `cursor` of the next page; "" after the last one'),
  },
  { $id: 'OwnFiles' },
)
export type OwnFiles = Static<typeof OwnFiles>
