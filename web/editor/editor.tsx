// The text editor (HugeRTE), bundled and loaded only where a post is written. Knows nothing of
// posts: HTML in, HTML out.

import { texts } from '../locales/texts.ts'
import './editor-plugins.ts'
import './editor-frame.css'
import { Editor } from '@hugerte/hugerte-react'
import type { Editor as HugeRTE } from 'hugerte'
import frameUrl from 'hugerte/skins/ui/oxide/content.min.css?url'
import lightSkinUrl from 'hugerte/skins/ui/oxide/skin.min.css?url'
import darkSkinUrl from 'hugerte/skins/ui/oxide-dark/skin.min.css?url'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { type Failure, fail, NO_ANSWER, type Result, succeed } from '../api/result.ts'
import { fixAccessibleNames } from './editor-accessibility.ts'
import contentUrl from './editor-content.css?url'
import { convertMarkup, EDITOR_FORMATS } from './editor-formats.ts'
import { pasteCleaned } from './editor-paste.ts'
import { EDITOR_PLUGINS, EDITOR_TOOLBAR } from './editor-plugins.ts'
import { linkForeignMedia } from './foreign-media.ts'
import { cleanPaste, withoutCode } from './paste-cleaning.ts'
import { type ShownTheme, useShownTheme } from './use-shown-theme.ts'

const HEIGHT_PIXELS = 500
/** Everything that can change the text: keys, commands, undo, dialogs. */
const CHANGES = 'input change undo redo compositionend'
const SMALL_SCREEN = '(max-width: 40em), (pointer: coarse)'
const SKINS: Record<ShownTheme, string> = { dark: darkSkinUrl, light: lightSkinUrl }

export type EditorHandle = {
  /** The text as HTML once all its images are stored, or why one of them could not be. */
  read: () => Promise<Result<string>>
  /** The text as it is now, its images stored or not. */
  peek: () => string
  /** Puts another text in its place. */
  write: (html: string) => void
  focus: () => void
}

export type ContentEditorProps = {
  ref: Ref<EditorHandle>
  id: string
  initialHtml: string
  isReadOnly: boolean
  /**
   * Stores an image of the text and answers its address; the message of a failure is a sentence for
   * the writer.
   */
  storeImage: (file: File) => Promise<Result<string>>
  /** Something was typed; called at every key. */
  onChange: () => void
}

export function ContentEditor({
  ref,
  id,
  initialHtml,
  isReadOnly,
  storeImage,
  onChange,
}: ContentEditorProps) {
  const theme = useShownTheme()
  const isSkinReady = useSkin(SKINS[theme])
  const editor = useRef<HugeRTE | undefined>(undefined)
  /** What to begin with; `write` may change it before the editor is there. */
  const start = useRef(initialHtml)
  const first = useRef(initialHtml)
  const latest = useRef({ storeImage, onChange, refused: NO_ANSWER })

  useEffect(() => {
    latest.current = { ...latest.current, storeImage, onChange }
  }, [storeImage, onChange])

  useEffect(() => {
    showTheme(editor.current, theme)
  }, [theme])

  useImperativeHandle(ref, () => ({
    async read() {
      const live = editor.current
      if (!live) return succeed(start.current)
      const stored = await live.uploadImages()
      // The form was left, and its text went with it: it must not be saved as empty.
      if (live.removed) return fail(NO_ANSWER)
      return stored.every(({ status }) => status)
        ? succeed(live.getContent())
        : fail(latest.current.refused)
    },
    peek: () => editor.current?.getContent() ?? start.current,
    write(html) {
      start.current = html
      const live = editor.current
      if (!live) return
      live.setContent(html)
      live.undoManager.add()
    },
    focus: () => editor.current?.focus(),
  }))

  const settings = useMemo(() => settingsFor(latest), [])

  if (!isSkinReady) return null
  return (
    <Editor
      id={id}
      initialValue={first.current}
      disabled={isReadOnly}
      init={settings}
      onInit={(_event, live) => {
        editor.current = live
        showTheme(live, theme)
        // The frame has this name already; a body without a role may have none.
        live.getBody().removeAttribute('aria-label')
        if (start.current !== first.current) live.setContent(start.current)
        live.on(CHANGES, () => latest.current.onChange())
      }}
    />
  )
}

/** `refused` is why the last image could not be stored. */
type Latest = {
  current: Pick<ContentEditorProps, 'storeImage' | 'onChange'> & { refused: Failure }
}

/**
 * @source product.md §9 "Editor", product.md §O32. No `content_style`: it would write a style
 *   element, which the CSP refuses.
 */
function settingsFor(latest: Latest) {
  return {
    ...EDITOR_FORMATS,
    height: HEIGHT_PIXELS,
    menubar: true,
    plugins: EDITOR_PLUGINS,
    toolbar: EDITOR_TOOLBAR,
    // On small screens the tools scroll sideways, so that the text keeps its place.
    toolbar_mode: matchMedia(SMALL_SCREEN).matches ? ('scrolling' as const) : ('wrap' as const),
    skin: false as const,
    content_css: [frameUrl, contentUrl],
    branding: false,
    promotion: false,
    elementpath: false,
    resize: false,
    browser_spellcheck: true,
    iframe_aria_text: texts.editor.frame,
    placeholder: texts.editor.invitation,
    a11y_advanced_options: true,
    image_caption: true,
    // Addresses of our own images stay as they were given: paths of this site.
    relative_urls: false,
    convert_urls: false,
    directionality: texts.direction,
    paste_data_images: true,
    paste_remove_styles_if_webkit: false, // `cleanPaste` reads the styles before it removes them
    paste_preprocess: (_editor: HugeRTE, pasted: { content: string; internal: boolean }) => {
      if (!pasted.internal) pasted.content = cleanPaste(pasted.content)
    },
    automatic_uploads: true,
    images_file_types: 'png,jpg,jpeg,gif',
    setup: (live: HugeRTE) => {
      let isPlain = false
      live.on('PastePlainTextToggle', ({ state }) => {
        isPlain = state
      })
      live.on('paste', (event: ClipboardEvent) => {
        if (!isPlain) pasteCleaned(live, event)
      })
      live.on('PreInit', () => convertMarkup(live))
      live.on('BeforeSetContent', (coming) => {
        coming.content = linkForeignMedia(withoutCode(coming.content))
      })
      fixAccessibleNames(live)
      let isFull = false
      live.on('FullscreenStateChanged', ({ state }) => {
        isFull = state
      })
      live.on('keydown', ({ key }) => {
        if (key === 'Escape' && isFull) live.execCommand('mceFullScreen')
      })
      live.on('init', () => live.addCommand('mcePreview', () => showPreview(live)))
    },
    images_upload_handler: async (blob: { blob: () => Blob; filename: () => string }) => {
      const bytes = blob.blob()
      const stored = await latest.current.storeImage(
        new File([bytes], blob.filename(), { type: bytes.type }),
      )
      if (stored.ok) return stored.value
      latest.current.refused = stored.failure
      throw new Error(stored.failure.message)
    },
  }
}

/** In place of the plugin's own window, which brings an inline script that our policy refuses. */
function showPreview(editor: HugeRTE): void {
  const sheets = editor.contentCSS
    .map((url) => `<link rel="stylesheet" href="${new URL(url, location.href).href}">`)
    .join('')
  const theme = editor.getDoc().documentElement.dataset.theme ?? 'dark'
  const page = `<!doctype html><html data-theme="${theme}"><head><base target="_blank">${sheets}</head><body class="mce-content-body">${editor.getContent()}</body></html>`
  const window = editor.windowManager.open({
    title: texts.editor.preview,
    size: 'large',
    body: {
      type: 'panel',
      items: [{ name: 'preview', type: 'iframe', sandboxed: false, transparent: false }],
    },
    buttons: [{ type: 'cancel', name: 'close', text: texts.actions.close, primary: true }],
    initialData: { preview: page },
  })
  window.focus('close')
  // From inside its frame the window does not hear the keyboard.
  const frame = document.querySelector<HTMLIFrameElement>('.tox-dialog__iframe')
  frame?.addEventListener('load', () => {
    frame.contentDocument?.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') window.close()
    })
  })
}

/** The frame is a document of its own: it hears of the theme from us. */
function showTheme(editor: HugeRTE | undefined, theme: ShownTheme): void {
  const frame = editor?.getDoc()?.documentElement
  if (frame) frame.dataset.theme = theme
}

/** Keeps exactly one skin in the head while the editor is on screen; true once it has arrived. */
function useSkin(url: string): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = url
    link.onload = () => setReady(true)
    link.onerror = () => setReady(true) // unstyled is better than absent
    // Before the site's own sheets, so that these can still say something about the editor.
    document.head.prepend(link)
    return () => link.remove()
  }, [url])
  return isReady
}
