// Shapes of files (api.md §4.1).

/** A stored file. While an upload is unfinished `signature` and `mimeType` are empty. */
export type FileModel = {
  $id: string
  bucketId: string
  $createdAt: string
  $updatedAt: string
  $permissions: string[]
  name: string
  /** MD5 of the stored bytes, hex. */
  signature: string
  mimeType: string
  sizeOriginal: number
  chunksTotal: number
  /** Length of the gap-free run of chunks from the start, or all of them once complete. */
  chunksUploaded: number
}

export type FileList = { total: number; files: FileModel[] }
