import type { CacheContext } from '../cache/context.ts'
import type { SingleFlight } from '../process/single-flight.ts'
import type { makeBlobStores } from './blob-stores.ts'
import type { ImageQueue } from './image-process.ts'
import type { Previews } from './previews.ts'
import type { FileRow } from './store.ts'

export type FilesContext = CacheContext &
  ReturnType<typeof makeBlobStores> & {
    imageQueue: ImageQueue
    previews: Previews
    /** Draws the previews of a file in advance. */
    previewPregeneration: { add(file: FileRow): void; start(): void; stop(): void }
    /**
     * Uploads whose chunks are being joined, by `storedName`: concurrent requests with the last
     * chunk wait for the same work.
     */
    assembling: SingleFlight<FileRow>
  }
