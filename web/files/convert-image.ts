// Redraws an image, smaller or as another type. Runs in a worker or, if the worker cannot open the
// file, in the page. The browser applies the image's orientation when it opens the file.

/** A plain object: it is sent to the worker. */
export type ConversionRequest = {
  file: Blob
  /** Always PNG, not only for transparent images. */
  isPng: boolean
  /** Both sides are at most this long; the aspect ratio stays. */
  maxSide: number
  /** The image is scaled down only if it has more pixels or a longer side than this. */
  scaleAbove: { pixels: number; side: number }
  /** The image is also scaled down if the result has more bytes than this. */
  maxBytes: number
}

export type DrawnImage = { blob: Blob; width: number; height: number; isScaled: boolean }

const JPEG_QUALITY = 0.9
/** Pixels are checked in strips, so that memory never holds a second copy of the whole image. */
const STRIP_PIXELS = 1_000_000

/** Rejects if the browser cannot open the file. */
export async function drawImage(
  request: ConversionRequest,
  open: (file: Blob) => Promise<ImageBitmap | HTMLImageElement> = createImageBitmap,
): Promise<DrawnImage> {
  const source = await open(request.file)
  try {
    const { width, height } = sizeOf(source)
    const { pixels, side } = request.scaleAbove
    const isTooLarge = width * height > pixels || Math.max(width, height) > side
    const fullSize = isTooLarge ? undefined : await drawAt(source, { ...request, width, height })
    if (fullSize && fullSize.blob.size <= request.maxBytes) return fullSize
    const share = Math.min(1, request.maxSide / Math.max(width, height))
    return {
      ...(await drawAt(source, {
        ...request,
        width: Math.max(1, Math.round(width * share)),
        height: Math.max(1, Math.round(height * share)),
      })),
      isScaled: true,
    }
  } finally {
    if ('close' in source) source.close()
  }
}

function sizeOf(source: ImageBitmap | HTMLImageElement): { width: number; height: number } {
  return 'naturalWidth' in source
    ? { width: source.naturalWidth, height: source.naturalHeight }
    : source
}

async function drawAt(
  source: ImageBitmap | HTMLImageElement,
  { width, height, isPng }: { width: number; height: number; isPng: boolean },
): Promise<DrawnImage> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas of this size')
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
  const type = isPng || isTransparent(context, width, height) ? 'image/png' : 'image/jpeg'
  const blob = await canvas.convertToBlob({ type, quality: JPEG_QUALITY })
  return { blob, width, height, isScaled: false }
}

function isTransparent(
  context: OffscreenCanvasRenderingContext2D,
  width: number,
  height: number,
): boolean {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width))
  for (let top = 0; top < height; top += rows) {
    const { data } = context.getImageData(0, top, width, Math.min(rows, height - top))
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) return true
  }
  return false
}
