// Images of the text that are being uploaded. Each has a placeholder block in the text until it is
// stored; the writer can continue around it. The block is never saved: the image replaces it in the
// text and in the undo steps, or the block is removed from both.

import type { Editor } from 'hugerte'
import { type Failure, fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'
import { whenOnline } from '../ui/use-online.ts'
import { caretBeside, insertBlock, packageOf } from './insert-block.ts'
import { makeElement } from './paste-writer.ts'
import { ANNOUNCE_CANCELLED, type ImageStep, type StoreImage } from './store-image.ts'
import { drawUploadBlock } from './upload-block.ts'

/** The attribute that holds the id of a block's upload. */
const MARK = 'data-upload'

/** An image for the text. `attributes` are those of its tag, without the address. */
type NewImage = { file: File; attributes: Record<string, string> }

type Upload = NewImage & {
  id: string
  url: string
  /** The bytes as a data URL. */
  data: string
  abort: AbortController
  /** Undefined once the upload has ended. */
  step: ImageStep | undefined
  failure: Failure | undefined
  /** Resolves when the current attempt ends. */
  attempt: Promise<unknown>
}

const uploadsOfEditors = new WeakMap<Editor, ImageUploads>()

export function imageUploadsOf(editor: Editor): ImageUploads | undefined {
  return uploadsOfEditors.get(editor)
}

/** Inserts images at the caret, between the blocks of the text, and stores them. */
export function insertImages(
  editor: Editor,
  files: readonly File[],
  descriptions: readonly string[] = [],
): void {
  for (const [index, file] of files.entries()) {
    const upload = imageUploadsOf(editor)?.begin({
      file,
      attributes: { alt: descriptions[index] ?? '' },
    })
    if (upload && insertBlock(editor, upload.block.outerHTML)) upload.start()
  }
}

/** Larger images would slow down typing, because the draft is copied at every keystroke. */
const PENDING_MAX_BYTES = 4_000_000
/** Stands in for the bytes of an image that the draft leaves out: browsers show it as broken. */
const NO_BYTES = 'data:,'

export class ImageUploads {
  private readonly editor: Editor
  private readonly storeImage: StoreImage
  private readonly uploads = new Map<string, Upload>()
  /** The text is being read with pending images. */
  private isPendingRead = false

  constructor(editor: Editor, storeImage: StoreImage) {
    this.editor = editor
    this.storeImage = storeImage
    uploadsOfEditors.set(editor, this)
    editor.on('PreInit', () => this.filterBlocks())
    // After undo, redo and everything else that may insert blocks again.
    editor.on('input undo redo SetContent ExecCommand', () => this.drawAll())
    const stop = whenOnline(() => this.retryLost())
    editor.on('remove', () => {
      stop()
      for (const upload of this.uploads.values()) {
        upload.abort.abort()
        URL.revokeObjectURL(upload.url)
      }
    })
  }

  private filterBlocks(): void {
    const { serializer, parser } = this.editor
    serializer.addAttributeFilter(MARK, (blocks) => {
      for (const block of blocks) {
        const upload = this.uploads.get(block.attr(MARK) ?? '')
        if (!this.isPendingRead || !upload) block.remove()
        else block.replace(pendingImage(this.editor, upload))
      }
    })
    parser.addNodeFilter('img', (images) => {
      for (const image of images) if (image.attr('src') === NO_BYTES) image.remove()
    })
  }

  private retryLost(): void {
    for (const upload of this.uploads.values())
      if (upload.failure?.code === 0 && this.isInText(upload)) this.startAttempt(upload)
  }

  /** Returns the block for a new upload; call `start` once the block is in the text. */
  begin({ file, attributes }: NewImage) {
    const id = `u${this.uploads.size + 1}`
    const upload: Upload = {
      id,
      file,
      attributes,
      url: URL.createObjectURL(file),
      data: NO_BYTES,
      abort: new AbortController(),
      step: { step: 'prepare' },
      failure: undefined,
      attempt: Promise.resolve(),
    }
    this.uploads.set(id, upload)
    void readData(file).then((data) => {
      upload.data = data
    })
    return {
      block: makeElement('div', { contenteditable: 'false', [MARK]: id }),
      start: () => this.startAttempt(upload),
    }
  }

  /** The text with pending images as data URLs, for the draft on the device. */
  readWithPending(): string {
    this.isPendingRead = true
    try {
      return this.editor.getContent()
    } finally {
      this.isPendingRead = false
    }
  }

  private startAttempt(upload: Upload): void {
    upload.failure = undefined
    upload.step = { step: 'prepare' }
    this.draw(upload)
    upload.attempt = this.store(upload)
  }

  private async store(upload: Upload): Promise<void> {
    const { signal } = upload.abort
    const onStep = (step: ImageStep): void => {
      upload.step = step
      this.draw(upload)
    }
    const stored = await this.storeImage(upload.file, { signal, onStep })
    if (this.editor.removed || signal.aborted) return
    upload.step = undefined
    if (stored.ok)
      this.replaceBlocks(upload, { src: stored.value.address, alt: '', ...upload.attributes })
    else {
      upload.failure = stored.failure
      this.draw(upload)
    }
  }

  /**
   * Replaces each block of an upload with the image, in the text and in the undo steps. Without
   * attributes, removes the blocks.
   */
  private replaceBlocks(upload: Upload, attributes?: Record<string, string>): void {
    const image = attributes ? makeElement('img', attributes).outerHTML : ''
    const line = image && `<p>${image}</p>`
    for (const block of this.blocksOf(upload)) {
      const isSelected = this.editor.selection.getNode() === block
      const isInFigure = block.parentElement?.localName === 'figure'
      if (isSelected) caretBeside(this.editor, block)
      if (isInFigure && !image) removeFigure(block)
      else block.replaceWith(this.editor.dom.createFragment(isInFigure ? image : line))
    }
    const pattern = new RegExp(
      `(<figure[^>]*>)?<div[^>]* ${MARK}="${upload.id}"[^>]*>.*?</div>`,
      'gs',
    )
    const change = (text: string) =>
      text.replace(pattern, (_block, figure: string | undefined) =>
        figure === undefined ? line : figure + image,
      )
    for (const level of this.editor.undoManager.data) {
      if (level.type === 'fragmented') level.fragments = level.fragments.map(change)
      else level.content = change(level.content)
    }
    this.editor.nodeChanged()
    this.editor.undoManager.dispatchChange()
  }

  private cancel(upload: Upload): void {
    const [block] = this.blocksOf(upload)
    upload.abort.abort(ANNOUNCE_CANCELLED)
    upload.step = undefined
    this.editor.focus()
    if (block) caretBeside(this.editor, block)
    this.replaceBlocks(upload)
  }

  /** Waits until all images are stored, or returns why one is not. */
  async settle(): Promise<Result<undefined>> {
    const current = [...this.uploads.values()].filter((upload) => this.isInText(upload))
    for (const upload of current)
      if (upload.failure && isTemporary(upload.failure)) this.startAttempt(upload)
    await Promise.all(current.map(({ attempt }) => attempt))
    if (this.editor.removed) return fail(NO_RESPONSE)
    const unstored = current.find((upload) => this.isInText(upload))
    return unstored ? fail(unstored.failure ?? NO_RESPONSE) : succeed(undefined)
  }

  private isInText(upload: Upload): boolean {
    return this.blocksOf(upload).length > 0
  }

  private blocksOf({ id }: Upload): HTMLElement[] {
    return this.editor.removed ? [] : this.editor.dom.select(`[${MARK}="${id}"]`)
  }

  private drawAll(): void {
    if (this.editor.removed) return
    for (const block of this.editor.dom.select(`[${MARK}]`)) {
      const upload = this.uploads.get(block.getAttribute(MARK) ?? '')
      // The block was copied from the text of another page, which stores the image.
      if (!upload) block.remove()
      else if (!block.shadowRoot) this.draw(upload)
    }
  }

  private draw(upload: Upload): void {
    const { file, url, step, failure } = upload
    for (const block of this.blocksOf(upload))
      drawUploadBlock(block, {
        name: file.name,
        imageUrl: url,
        step,
        failure,
        canRetry: failure !== undefined && isTemporary(failure),
        onRetry: () => (step?.step === 'lost' ? step.retry() : this.startAttempt(upload)),
        onCancel: () => this.cancel(upload),
      })
  }
}

/** Removes the picture of a block from its gallery, and a gallery with its last picture. */
function removeFigure(block: HTMLElement): void {
  const gallery = block.closest('.gallery')
  if (gallery) block.parentElement?.remove()
  else block.remove()
  if (gallery?.querySelector('figure') === null) gallery.remove()
}

/** Whether a retry may succeed: always, unless the file is unusable. */
function isTemporary({ code }: Failure): boolean {
  return code !== 400
}

function pendingImage(editor: Editor, { attributes, data }: Upload) {
  return packageOf(editor).html.Node.create('img', { alt: '', ...attributes, src: data })
}

async function readData(file: File): Promise<string> {
  if (file.size > PENDING_MAX_BYTES) return NO_BYTES
  return await new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => resolve(NO_BYTES)
    reader.readAsDataURL(file)
  })
}
