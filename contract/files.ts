// Shapes of files (api.md §4.1, §15.6).
import Type, { type Static } from 'typebox'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const count = (description?: string) =>
  Type.Integer(description === undefined ? {} : { description })

/**
 * A stored file, as every answer describes it. Never its bytes: those come from `view`, `download`
 * and `preview` (api.md §4.4, §4.5).
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
    sizeOriginal: count('Bytes as stored; as announced while the upload is unfinished'),
    chunksTotal: count('1 for a file that came in one request'),
    chunksUploaded: count('Chunks without a gap from the first'),
  },
  { $id: 'File' },
)
export type FileModel = Static<typeof FileModel>

/** A place that uses a file. `postId` and `title` are those of a post of one's own. */
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

/** One of one's own files, unfinished uploads included, with what uses it. */
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

/** One page of one's own files, the newest first, and how much space all of them take. */
export const OwnFiles = Type.Object(
  {
    total: count('All files, whatever page was asked for'),
    unused: count('Complete files that nothing uses'),
    usedBytes: count('Of all files'),
    maxBytes: count(),
    files: Type.Array(OwnFile),
    next: text('The `cursor` of the next page; "" after the last one'),
  },
  { $id: 'OwnFiles' },
)
export type OwnFiles = Static<typeof OwnFiles>
