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

type Needs = {
  editor: Editor
  storeImage: StoreImage
  uploads: Map<string, Upload>
  /** The text is being read with them. */
  isPendingRead: boolean
}

/** Larger ones would slow down every key, as a copy is kept at each. */
const PENDING_MAX_BYTES = 4_000_000
/** Stands for one whose bytes are not in the copy: it shows that something is missing. */
const NO_BYTES = 'data:,'

export function keepImageUploads(editor: Editor, storeImage: StoreImage): void {
  const needs: Needs = { editor, storeImage, uploads: new Map(), isPendingRead: false }
  made.set(editor, {
    begin: (image) => begin(needs, image),
    settle: () => settle(needs),
    readWithPending() {
      needs.isPendingRead = true
      try {
        return editor.getContent()
      } finally {
        needs.isPendingRead = false
      }
    },
  })
  editor.on('PreInit', () => {
    editor.serializer.addAttributeFilter(MARK, (blocks) => {
      for (const block of blocks) {
        const upload = needs.uploads.get(block.attr(MARK) ?? '')
        if (!needs.isPendingRead || !upload) block.remove()
        else block.replace(pendingImage(upload))
      }
    })
    editor.parser.addNodeFilter('img', (images) => {
      for (const image of images) if (image.attr('src') === NO_BYTES) image.remove()
    })
  })
  // After undo, redo and every other way by which blocks come again.
  editor.on('input undo redo SetContent ExecCommand', () => drawAll(needs))
  const goOn = () => {
    for (const upload of needs.uploads.values())
      if (upload.failure?.code === 0 && isInText(needs, upload)) tryToStore(needs, upload)
  }
  const stop = whenOnline(goOn)
  editor.on('remove', () => {
    stop()
    for (const upload of needs.uploads.values()) {
      upload.abort.abort()
      URL.revokeObjectURL(upload.url)
    }
  })
}

function begin(
  needs: Needs,
  { file, attributes = {} }: NewImage,
): ReturnType<ImageUploads['begin']> {
  const id = `u${needs.uploads.size + 1}`
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
  needs.uploads.set(id, upload)
  void readData(file).then((data) => {
    upload.data = data
  })
  return {
    block: makeElement('div', { contenteditable: 'false', [MARK]: id }),
    start: () => tryToStore(needs, upload),
  }
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

function tryToStore(needs: Needs, upload: Upload): void {
  upload.failure = undefined
  upload.step = { step: 'prepare' }
  draw(needs, upload)
  upload.tried = store(needs, upload)
}

async function store(needs: Needs, upload: Upload): Promise<void> {
  const { editor, storeImage } = needs
  const stored = await storeImage(upload.file, {
    signal: upload.abort.signal,
    onStep: (step) => {
      upload.step = step
      draw(needs, upload)
    },
  })
  if (editor.removed || upload.abort.signal.aborted) return
  upload.step = undefined
  if (stored.ok) {
    const src = stored.value.address
    return replaceBlocks(needs, upload, (isInFigure) => makeImage(editor, upload, src, isInFigure))
  }
  upload.failure = stored.failure
  draw(needs, upload)
}

function makeImage(
  editor: Editor,
  { attributes }: Upload,
  src: string,
  isInFigure: boolean,
): HTMLElement {
  const image = editor.dom.create('img', { src })
  // The editor itself would leave out an empty one.
  for (const [name, value] of Object.entries({ alt: '', ...attributes }))
    image.setAttribute(name, value)
  if (isInFigure) return image
  const line = editor.dom.create('p')
  line.append(image)
  return line
}

/** Puts something in the place of each block of an upload, in the text and in the steps of undo. */
function replaceBlocks(
  needs: Needs,
  upload: Upload,
  make: (isInFigure: boolean) => HTMLElement | undefined,
): void {
  const { editor } = needs
  for (const block of blocksOf(needs, upload)) {
    const isSelected = editor.selection.getNode() === block
    const image = make(block.parentElement?.localName === 'figure')
    if (isSelected) caretAfter(editor, block)
    if (image) block.replaceWith(image)
    else block.remove()
  }
  const html = make(false)?.outerHTML ?? ''
  const bare = make(true)?.outerHTML ?? ''
  const pattern = new RegExp(
    `(<figure[^>]*>)?<div[^>]* ${MARK}="${upload.id}"[^>]*>.*?</div>`,
    'gs',
  )
  const change = (text: string) =>
    text.replace(pattern, (_block, figure: string | undefined) =>
      figure === undefined ? html : figure + bare,
    )
  for (const level of editor.undoManager.data) {
    if (level.type === 'fragmented') level.fragments = level.fragments.map(change)
    else level.content = change(level.content)
  }
  editor.nodeChanged()
  editor.undoManager.dispatchChange()
}

function cancel(needs: Needs, upload: Upload): void {
  const { editor } = needs
  const [block] = blocksOf(needs, upload)
  upload.abort.abort(TELL_CANCELLED)
  upload.step = undefined
  editor.focus()
  if (block) caretAfter(editor, block)
  replaceBlocks(needs, upload, () => undefined)
}

async function settle(needs: Needs): Promise<Result<undefined>> {
  const { editor, uploads } = needs
  const shown = [...uploads.values()].filter((upload) => isInText(needs, upload))
  for (const upload of shown)
    if (upload.failure && isTemporary(upload.failure)) tryToStore(needs, upload)
  await Promise.all(shown.map(({ tried }) => tried))
  if (editor.removed) return fail(NO_ANSWER)
  const left = shown.find((upload) => isInText(needs, upload))
  return left ? fail(left.failure ?? NO_ANSWER) : succeed(undefined)
}

/** A file that cannot be used stays so; all else may be better the next time. */
function isTemporary({ code }: Failure): boolean {
  return code !== 400
}

function isInText(needs: Needs, upload: Upload): boolean {
  return blocksOf(needs, upload).length > 0
}

function blocksOf({ editor }: Needs, { id }: Upload): HTMLElement[] {
  return editor.removed
    ? []
    : [...editor.getBody().querySelectorAll<HTMLElement>(`[${MARK}="${id}"]`)]
}

function drawAll(needs: Needs): void {
  const { editor, uploads } = needs
  if (editor.removed) return
  for (const block of editor.getBody().querySelectorAll<HTMLElement>(`[${MARK}]`)) {
    const upload = uploads.get(block.getAttribute(MARK) ?? '')
    // Copied from the text of another page: nobody stores it here.
    if (!upload) block.remove()
    else if (!block.shadowRoot) draw(needs, upload)
  }
}

function draw(needs: Needs, upload: Upload): void {
  const { file, url, step, failure } = upload
  for (const block of blocksOf(needs, upload))
    drawUploadBlock(block, {
      name: file.name,
      imageUrl: url,
      step,
      failure,
      canRetry: failure !== undefined && isTemporary(failure),
      onRetry: () => (step?.step === 'lost' ? step.retry() : tryToStore(needs, upload)),
      onCancel: () => cancel(needs, upload),
    })
}
