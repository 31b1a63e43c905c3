// The text editor (HugeRTE), bundled and loaded only where a post is written: HTML in, HTML out.

import { makeEditorSettings } from './editor-settings.ts'
import 'hugerte/skins/ui/oxide/skin.css'
import './editor-dialogs.css'
import './editor-frame.css'
import './editor-layout.css'
import { Editor } from '@hugerte/hugerte-react'
import type { Editor as HugeRTE } from 'hugerte'
import {
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'
import { lazyWhenOnline, loadCode } from '../ui/load-code.ts'
import { fitFrame } from './auto-height.ts'
import type { FindPosts } from './card-posts.ts'
import { EditorDialogs } from './editor-dialogs.tsx'
import { imageUploadsOf } from './image-uploads.ts'
import type { EditorMerge, VersionsToMerge } from './merge-into-editor.ts'
import type { DialogRequest } from './object-tools.ts'
import { PasteNoticeBar, usePasteNotice } from './paste-notice.tsx'
import type { StoreImage } from './store-image.ts'
import { followAppearance } from './use-theme.ts'

const WritingTools = lazyWhenOnline(async () => (await import('./writing-tools.tsx')).WritingTools)

/** The events after everything that can change the text: keys, commands, undo, dialogs. */
const CHANGES = 'input change undo redo compositionend'

export type EditorHandle = {
  /** Waits for all images, then returns the text as HTML, or why an image could not be stored. */
  read: () => Promise<Result<string>>
  /** The current text, with images that are not stored yet. */
  peek: () => string
  /** Replaces the text. */
  write: (html: string) => void
  /** Merges another version into the text; undefined if that is impossible. */
  merge: (versions: VersionsToMerge) => Promise<EditorMerge | undefined>
  /** Loads the broken images again. */
  reloadImages: () => void
  focus: () => void
  /** Scrolls until the caret is visible. */
  showCaret: () => void
}

export type ContentEditorProps = {
  ref: Ref<EditorHandle>
  id: string
  initialHtml: string
  isReadOnly: boolean
  storeImage: StoreImage
  findPosts: FindPosts
  /** Called whenever the text changes, also at each keystroke. */
  onChange: () => void
  /** Called once, when the editor is visible with its text and can be focused. */
  onReady: (editor: HugeRTE) => void
  /** Ctrl+S was pressed in the text. */
  onSave: () => void
  onPreview: () => void
  /** Ctrl+Enter was pressed in the text. */
  onPublish: () => void
  /** Whether pasted Markdown becomes rich text. */
  convertsMarkdown?: boolean
  /** Whether selected words and empty lines have tools beside them. */
  hasWritingTools?: boolean
}

export function ContentEditor({
  ref,
  id,
  initialHtml,
  isReadOnly,
  storeImage,
  findPosts,
  onChange,
  onReady,
  onSave,
  onPreview,
  onPublish,
  convertsMarkdown = true,
  hasWritingTools = false,
}: ContentEditorProps) {
  const editor = useRef<HugeRTE | undefined>(undefined)
  const [started, setStarted] = useState<HugeRTE | undefined>()
  const [opened, setOpened] = useState<DialogRequest | undefined>()
  /** The initial text; `write` may replace it before the editor is loaded. */
  const startHtml = useRef(initialHtml)
  const firstHtml = useRef(initialHtml)
  const callbacks = {
    storeImage,
    findPosts,
    onChange,
    onSave,
    onPreview,
    onPublish,
    convertsMarkdown,
  }
  /** `imageFailure` is why the last image could not be stored. */
  const latest = useRef({ ...callbacks, imageFailure: NO_RESPONSE })
  useEffect(() => void Object.assign(latest.current, callbacks))

  useImperativeHandle(ref, () => ({
    async read() {
      const live = editor.current
      if (!live) return succeed(startHtml.current)
      const settled = await imageUploadsOf(live)?.settle()
      if (settled && !settled.ok) return settled
      const stored = await live.uploadImages()
      // The user left the form, and the text was removed: it must not be saved as empty.
      if (live.removed) return fail(NO_RESPONSE)
      return stored.every(({ status }) => status)
        ? succeed(live.getContent())
        : fail(latest.current.imageFailure)
    },
    peek: () => peek(editor.current) ?? startHtml.current,
    write(html) {
      startHtml.current = html
      if (editor.current) replaceText(editor.current, html)
    },
    merge: (versions) => merge(editor.current, versions),
    reloadImages: () => reloadImages(editor.current),
    focus: () => editor.current?.focus(),
    showCaret: () => editor.current?.selection.getStart().scrollIntoView({ block: 'nearest' }),
  }))

  const { notice, setNotice, listenTo } = usePasteNotice()
  const settings = useMemo(
    () => ({
      ...makeEditorSettings({
        storeImage: async (file, options) => {
          const stored = await latest.current.storeImage(file, options)
          if (!stored.ok) latest.current.imageFailure = stored.failure
          return stored
        },
        findPosts: (typed) => latest.current.findPosts(typed),
        openDialog: setOpened,
        save: () => latest.current.onSave(),
        preview: () => latest.current.onPreview(),
        publish: () => latest.current.onPublish(),
        onNotice: setNotice,
        convertsMarkdown: () => latest.current.convertsMarkdown,
      }),
      // Runs after `onInit`: before that, the wrapper component sets the initial text.
      init_instance_callback(live: HugeRTE) {
        if (startHtml.current !== firstHtml.current) replaceText(live, startHtml.current)
      },
    }),
    [setNotice],
  )

  return (
    <>
      {hasWritingTools && started && (
        <Suspense>
          <WritingTools editor={started} />
        </Suspense>
      )}
      <Editor
        id={id}
        initialValue={firstHtml.current}
        disabled={isReadOnly}
        init={settings}
        onInit={(_event, live) => {
          editor.current = live
          setStarted(live)
          followAppearance(live)
          // The frame already has this name, and a body without a role must have none.
          live.getBody().removeAttribute('aria-label')
          live.on(CHANGES, () => latest.current.onChange())
          listenTo(live)
          whenShown(live, () => onReady(live))
        }}
      />
      {opened && editor.current && (
        <EditorDialogs
          editor={editor.current}
          request={opened}
          storeImage={storeImage}
          findPosts={findPosts}
          onClose={() => setOpened(undefined)}
        />
      )}
      <PasteNoticeBar notice={notice} onClose={() => setNotice(undefined)} />
    </>
  )
}

function peek(editor: HugeRTE | undefined): string | undefined {
  return editor && (imageUploadsOf(editor)?.readWithPending() ?? editor.getContent())
}

function replaceText(editor: HugeRTE, html: string): void {
  editor.setContent(html)
  editor.undoManager.add()
}

async function merge(
  editor: HugeRTE | undefined,
  versions: VersionsToMerge,
): Promise<EditorMerge | undefined> {
  const { mergeIntoEditor } = await loadCode(() => import('./merge-into-editor.ts'))
  return editor && mergeIntoEditor(editor, versions)
}

function reloadImages(editor: HugeRTE | undefined): void {
  for (const image of editor?.getBody().querySelectorAll('img') ?? [])
    if (image.complete && image.naturalWidth === 0) image.setAttribute('src', image.src)
}

/** The frame gets the height of its text after the editor is initialised. */
function whenShown(editor: HugeRTE, callback: () => void): void {
  fitFrame(editor)
  requestAnimationFrame(callback)
}
