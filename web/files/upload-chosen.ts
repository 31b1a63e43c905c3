// Stores an image as it was chosen: made ready first, then sent.

import type { FileModel } from '#contract/files.ts'
import type { Api } from '../api/client.ts'
import { fail, type Result } from '../api/result.ts'
import { type UploadProgress, uploadImage } from './files-api.ts'
import type { ImageLimit } from './image-rules.ts'
import { prepareImage } from './prepare-image.ts'

type ChosenImage = {
  file: File
  limit: ImageLimit
  onProgress?: (progress: UploadProgress) => void
}

/** @returns a file that cannot be used as a failure whose message is a sentence to show */
export async function uploadChosen(
  api: Api,
  bucketId: string,
  { file, limit, onProgress }: ChosenImage,
): Promise<Result<FileModel>> {
  const made = await prepareImage(file, limit)
  if (!made.ok) return fail({ message: made.problem, code: 400, type: '' })
  return await uploadImage(api, bucketId, { file: made.file, ...(onProgress && { onProgress }) })
}
