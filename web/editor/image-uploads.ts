// Images of the text on their way to the server. Each has a block in the text until it is stored;
// one writes on around it. The block is never saved: it stands in the text and in the steps of
// undo, and gives way in both to the image, or to nothing.

import hugerte, { type Editor } from 'hugerte'
import { type Failure, fail, NO_ANSWER, type Result, succeed } from '../api/result.ts'
import { whenOnline } from '../ui/use-online.ts'
import { caretAfter, insertBlock } from './insert-block.ts'
import { makeElement } from './paste-writer.ts'
import { type ImageStep, type StoreImage, TELL_CANCELLED } from './store-image.ts'
import { drawUploadBlock } from './upload-block.ts'

/** Names the upload that a block stands for. */
const MARK = 'data-upload'

/** An image for the text. The attributes are those that its tag gets besides its address. */
export type NewImage = { file: File; attributes?: Record<string, string> }

type Upload = Required<NewImage> & {
  id: string
  url: string
  /** Its bytes as an address. */
  data: string
  abort: AbortController
  /** Undefined once it ended, well or not. */
  step: ImageStep | undefined
  failure: Failure | undefined
  /** Ends with every try. */
  tried: Promise<unknown>
}

export type ImageUploads = {
  /** The block for an image that begins to be stored; `start` once it stands in the text. */
  begin: (image: NewImage) => { block: Element; start: () => void }
  /** The text with the images on their way in it, as data: for a copy that is kept elsewhere. */
  readWithPending: () => string
  /** Waits until no block is left in the text, or says why one is. */
  settle: () => Promise<Result<undefined>>
}

const made = new WeakMap<Editor, ImageUploads>()

export function imageUploadsOf(editor: Editor): ImageUploads | undefined {
  return made.get(editor)
}

/** Puts images between the blocks of the text where the caret is, one after another. */
export function insertImages(editor: Editor, images: readonly NewImage[]): void {
  for (const image of images) {
    const begun = imageUploadsOf(editor)?.begin(image)
    if (!begun || !insertBlock(editor, begun.block.outerHTML)) continue
    begun.start()
  }
}

/** Larger ones would slow down every key, as a copy is kept at each. */
const PENDING_MAX_BYTES = 4_000_000
/** Stands for one whose bytes are not in the copy: it shows that something is missing. */
const NO_BYTES = 'data:,'

export function keepImageUploads(editor: Editor, storeImage: StoreImage): void {
  const uploads = new Map<string, Upload>()
  let isPendingRead = false
  made.set(editor, { begin, settle, readWithPending })
  editor.on('PreInit', () => {
    editor.serializer.addAttributeFilter(MARK, (blocks) => {
      for (const block of blocks) {
        const upload = uploads.get(block.attr(MARK) ?? '')
        if (!isPendingRead || !upload) block.remove()
        else block.replace(pendingImage(upload))
      }
    })
    editor.parser.addNodeFilter('img', (images) => {
      for (const image of images) if (image.attr('src') === NO_BYTES) image.remove()
    })
  })
  // After undo, redo and every other way by which blocks come again.
  editor.on('input undo redo SetContent ExecCommand', drawAll)
  const stop = whenOnline(() => {
    for (const upload of uploads.values())
      if (upload.failure?.code === 0 && isInText(upload)) tryToStore(upload)
  })
  editor.on('remove', () => {
    stop()
    for (const upload of uploads.values()) {
      upload.abort.abort()
      URL.revokeObjectURL(upload.url)
    }
  })

  function begin({ file, attributes = {} }: NewImage) {
    const id = `u${uploads.size + 1}`
    const upload: Upload = {
      id,
      file,
      attributes,
      url: URL.createObjectURL(file),
      data: NO_BYTES,
      abort: new AbortController(),
      step: { step: 'prepare' },
      failure: undefined,
      tried: Promise.resolve(),
    }
    uploads.set(id, upload)
    void readData(file).then((data) => {
      upload.data = data
    })
    return {
      block: makeElement('div', { contenteditable: 'false', [MARK]: id }),
      start: () => tryToStore(upload),
    }
  }

  function readWithPending(): string {
    isPendingRead = true
    try {
      return editor.getContent()
    } finally {
      isPendingRead = false
    }
  }

  function tryToStore(upload: Upload): void {
    upload.failure = undefined
    upload.step = { step: 'prepare' }
    draw(upload)
    upload.tried = store(upload)
  }

  async function store(upload: Upload): Promise<void> {
    const { signal } = upload.abort
    const onStep = (step: ImageStep): void => {
      upload.step = step
      draw(upload)
    }
    const stored = await storeImage(upload.file, { signal, onStep })
    if (editor.removed || signal.aborted) return
    upload.step = undefined
    if (stored.ok)
      replaceBlocks(upload, { src: stored.value.address, alt: '', ...upload.attributes })
    else {
      upload.failure = stored.failure
      draw(upload)
    }
  }

  /**
   * Puts the image in the place of each block of an upload, in the text and in the steps of undo;
   * nothing without attributes.
   */
  function replaceBlocks(upload: Upload, attributes?: Record<string, string>): void {
    const image = attributes ? makeElement('img', attributes).outerHTML : ''
    const line = image && `<p>${image}</p>`
    for (const block of blocksOf(upload)) {
      const isSelected = editor.selection.getNode() === block
      const isInFigure = block.parentElement?.localName === 'figure'
      if (isSelected) caretAfter(editor, block)
      block.replaceWith(editor.dom.createFragment(isInFigure ? image : line))
    }
    const pattern = new RegExp(
      `(<figure[^>]*>)?<div[^>]* ${MARK}="${upload.id}"[^>]*>.*?</div>`,
      'gs',
    )
    const change = (text: string) =>
      text.replace(pattern, (_block, figure: string | undefined) =>
        figure === undefined ? line : figure + image,
      )
    for (const level of editor.undoManager.data) {
      if (level.type === 'fragmented') level.fragments = level.fragments.map(change)
      else level.content = change(level.content)
    }
    editor.nodeChanged()
    editor.undoManager.dispatchChange()
  }

  function cancel(upload: Upload): void {
    const [block] = blocksOf(upload)
    upload.abort.abort(TELL_CANCELLED)
    upload.step = undefined
    editor.focus()
    if (block) caretAfter(editor, block)
    replaceBlocks(upload)
  }

  async function settle(): Promise<Result<undefined>> {
    const shown = [...uploads.values()].filter(isInText)
    for (const upload of shown)
      if (upload.failure && isTemporary(upload.failure)) tryToStore(upload)
    await Promise.all(shown.map(({ tried }) => tried))
    if (editor.removed) return fail(NO_ANSWER)
    const left = shown.find(isInText)
    return left ? fail(left.failure ?? NO_ANSWER) : succeed(undefined)
  }

  function isInText(upload: Upload): boolean {
    return blocksOf(upload).length > 0
  }

  function blocksOf({ id }: Upload): HTMLElement[] {
    return editor.removed ? [] : editor.dom.select(`[${MARK}="${id}"]`)
  }

  function drawAll(): void {
    if (editor.removed) return
    for (const block of editor.dom.select(`[${MARK}]`)) {
      const upload = uploads.get(block.getAttribute(MARK) ?? '')
      // Copied from the text of another page: nobody stores it here.
      if (!upload) block.remove()
      else if (!block.shadowRoot) draw(upload)
    }
  }

  function draw(upload: Upload): void {
    const { file, url, step, failure } = upload
    for (const block of blocksOf(upload))
      drawUploadBlock(block, {
        name: file.name,
        imageUrl: url,
        step,
        failure,
        canRetry: failure !== undefined && isTemporary(failure),
        onRetry: () => (step?.step === 'lost' ? step.retry() : tryToStore(upload)),
        onCancel: () => cancel(upload),
      })
  }
}

/** A file that cannot be used stays so; all else may be better the next time. */
function isTemporary({ code }: Failure): boolean {
  return code !== 400
}

function pendingImage({ attributes, data }: Upload) {
  const image = new hugerte.html.Node('img', 1)
  image.attr({ alt: '', ...attributes, src: data })
  return image
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
