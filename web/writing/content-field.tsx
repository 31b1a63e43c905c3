// The content field of the post form: the editor, and a placeholder until it is loaded.
import type { Editor } from 'hugerte'
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useState,
} from 'react'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import type { FindPosts } from '../editor/card-posts.ts'
import { deferPlayers } from '../editor/click-to-load-players.ts'
import type { ContentEditorProps, EditorHandle } from '../editor/editor.tsx'
import { readEditorPreferences } from '../editor/editor-preferences.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { onFirstInteraction } from '../ui/first-interaction.ts'
import { loadCode } from '../ui/load-code.ts'
import { LoadingText } from '../ui/screens.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { handleTyping } from './open-form.ts'
import { requestSave } from './save-draft.ts'
import { savedTextOf } from './saving-parts.tsx'
import { useImageStore } from './use-image-store.ts'
import type { FormProps } from './use-post-form.ts'

/** If the writer does nothing, the editor is loaded after this time. */
const EDITOR_WAIT_MS = 3000

const PLACEHOLDER_ID = 'content-shape'

/** Focuses the text, or its placeholder, which passes the focus on to the editor. */
export function focusText(editor: RefObject<EditorHandle | null>): void {
  const placeholder = document.getElementById(PLACEHOLDER_ID)
  if (placeholder) placeholder.focus()
  else editor.current?.focus()
}

type ContentFieldProps = FormProps & {
  isWritingView: boolean
  /** Called once the editor is ready. */
  onEditor: (editor: Editor) => void
  onPreview: () => void
}

export function ContentField({
  form,
  state,
  isWritingView,
  onEditor,
  onPreview,
}: ContentFieldProps) {
  const error = state.problems.content
  const { LoadedEditor, hasFailed, retry } = useEditor()
  const [isReady, setReady] = useState(false)
  const { hasMenuBar, convertsMarkdown } = readEditorPreferences(useViewer().prefs)
  const storeImage = useImageStore(form.userId)
  const findPosts = useFindPosts()
  return (
    <div className={hasMenuBar ? 'stack field' : 'stack field field--tools-only'}>
      <span className={isWritingView ? 'visually-hidden' : 'label'}>
        {texts.postFields.content}
      </span>
      <div className="editor-place">
        {!isReady && (
          <EditorPlaceholder
            html={state.startHtml}
            invitation={isWritingView ? texts.writingView.invitation : ''}
          >
            {hasFailed ? (
              <>
                <p role="alert">{texts.editor.failed}</p>
                <Button onClick={retry}>{texts.actions.tryAgain}</Button>
              </>
            ) : (
              <LoadingText>{texts.editor.loading}</LoadingText>
            )}
          </EditorPlaceholder>
        )}
        {LoadedEditor && (
          <div className="editor-place__editor" data-ready={isReady}>
            <LoadedEditor
              ref={form.editor}
              id="content"
              initialHtml={state.startHtml}
              isReadOnly={state.isSaving}
              storeImage={storeImage}
              findPosts={findPosts}
              convertsMarkdown={convertsMarkdown}
              hasWritingTools={isWritingView}
              onChange={() => handleTyping(form)}
              onSave={() => requestSave(form)}
              onPreview={onPreview}
              onPublish={() => form.dispatch({ type: 'publishOpened' })}
              onReady={(editor) => {
                setReady(true)
                onEditor(editor)
                if (document.activeElement?.id === PLACEHOLDER_ID) editor.focus()
              }}
            />
          </div>
        )}
        {/* Repeats the line about the last save: on a phone the original is far below. */}
        <p className="hint editor-foot" data-saved={savedTextOf(state)}>
          <span>{texts.editor.toolbarHint}</span>
        </p>
      </div>
      {error && <FieldError id="content-error">{error}</FieldError>}
    </div>
  )
}

type EditorPlaceholderProps = {
  html: string
  /** What an empty text shows. */
  invitation: string
  children: ReactNode
}

/**
 * The placeholder shows the editor's bars, empty, and the text as it will look, so that nothing
 * moves when the editor replaces it. A press on the placeholder focuses it, and later the editor.
 */
function EditorPlaceholder({ html, invitation, children }: EditorPlaceholderProps) {
  return (
    <div className="editor" id={PLACEHOLDER_ID} tabIndex={-1}>
      <div className="editor__menus" />
      <div className="editor__tools" />
      <div className="editor__text">
        <div className="editor__state">{children}</div>
        {html === '' ? (
          <div className="prose editor__invitation" inert>
            <p>{invitation}</p>
          </div>
        ) : (
          <div
            className="prose"
            inert
            // Sanitised by the server, or by the editor on this device.
            dangerouslySetInnerHTML={{ __html: deferPlayers(html) }}
          />
        )}
      </div>
      <div className="editor__foot" />
    </div>
  )
}

function useFindPosts(): FindPosts {
  const api = useApi()
  return useCallback(
    async (typed) => {
      const part = await loadCode(() => import('../posts/find-card-posts.ts'))
      return await part.findCardPosts(api, typed)
    },
    [api],
  )
}

/**
 * Loads the editor once the form is on the screen and the writer acts: it needs a browser, and is
 * larger than all other code together.
 */
function useEditor() {
  const [LoadedEditor, setLoadedEditor] = useState<ComponentType<ContentEditorProps> | undefined>()
  const [hasFailed, setFailed] = useState(false)
  const load = useCallback(() => {
    setFailed(false)
    loadCode(() => import('../editor/editor.tsx')).then(
      ({ ContentEditor }) => setLoadedEditor(() => ContentEditor),
      () => setFailed(true),
    )
  }, [])
  useEffect(() => onFirstInteraction(load, EDITOR_WAIT_MS), [load])
  useWhenOnline(() => {
    if (hasFailed) load()
  })
  return { LoadedEditor, hasFailed, retry: load }
}
