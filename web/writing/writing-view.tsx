// The writing view: the form of a post with only its title and its text. Its parts take the places
// of the form's head and of its other fields (post-form.tsx).
import type { Editor } from 'hugerte'
import {
  ArrowLeft,
  Baseline,
  Check,
  Ellipsis,
  Eye,
  Focus,
  History,
  Keyboard,
  Link2,
  List,
  Quote,
} from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { versionsPath } from '../posts/post-paths.ts'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { isComposing } from '../ui/is-composing.ts'
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx'
import { focusText } from './content-field.tsx'
import { changeFields, changeTitle } from './open-form.ts'
import { findLengthProblem } from './post-values.ts'
import type { FormProps } from './use-post-form.ts'
import { useWritingModes } from './writing-view-modes.ts'
import '../editor/editor-plain.css'
import './writing-view-sheets.css'

export { WritingContents } from './writing-view-contents.tsx'
export { WritingFoot } from './writing-view-foot.tsx'

const words = texts.writingView

type WritingBarProps = FormProps & {
  editor: Editor | undefined
  /** The title of the page. */
  name: string
  onPreview: () => void
  /** Undefined where a post cannot have a preview link. */
  onPreviewLink: (() => void) | undefined
  onShowForm: () => void
}

/** The line above the text. */
export function WritingBar(props: WritingBarProps) {
  const { form, state, editor, name, onPreview, onPreviewLink, onShowForm } = props
  useDraftWhileWriting({ form, state })
  const publish = () => form.dispatch({ type: 'publishOpened' })
  const { modes, toggleToolbar, toggleFocus, toggleQuotes } = useWritingModes(editor)
  return (
    <div className="writing-bar">
      <h1 className="visually-hidden">{name}</h1>
      <ButtonLink
        kind="ghost"
        className="writing-bar__back"
        Icon={ArrowLeft}
        to={state.isPage ? '/admin/pages' : '/dashboard'}
      >
        {state.isPage ? texts.pageForm.pages : texts.places.dashboard}
      </ButtonLink>
      <IconButton
        className="wide-only"
        Icon={Baseline}
        aria-pressed={modes.hasToolbar}
        label={words.fullToolbar}
        title={words.fullToolbarKeys}
        onClick={toggleToolbar}
      />
      <IconButton
        Icon={Focus}
        aria-pressed={modes.isFocused}
        label={words.focus}
        title={words.focusKeys}
        onClick={toggleFocus}
      />
      <Menu
        label={words.menu}
        buttonClass="btn btn--ghost btn--icon"
        button={<Ellipsis className="icon" aria-hidden="true" />}
      >
        <MenuItem Icon={Eye} onPress={onPreview}>
          {texts.preview.title}
        </MenuItem>
        {state.post && (
          <MenuLink Icon={History} to={versionsPath(state.post.$id)}>
            {texts.versionList.title}
          </MenuLink>
        )}
        {onPreviewLink && (
          <MenuItem Icon={Link2} onPress={onPreviewLink}>
            {texts.postForm.previewLink}
          </MenuItem>
        )}
        <div className="narrow-only">
          <MenuItem Icon={Baseline} onPress={toggleToolbar}>
            {words.fullToolbar}
          </MenuItem>
        </div>
        <button
          type="button"
          role="menuitemcheckbox"
          aria-checked={modes.hasQuotes}
          tabIndex={-1}
          onClick={toggleQuotes}
        >
          <Quote className="icon" aria-hidden="true" />
          {words.smartQuotes}
          <Check className="icon menu__check" aria-hidden="true" />
        </button>
        <MenuItem Icon={Keyboard} onPress={() => editor?.execCommand('mceHelp')}>
          {words.keys}
        </MenuItem>
        <hr />
        <MenuItem Icon={List} onPress={onShowForm}>
          {words.allFields}
        </MenuItem>
      </Menu>
      <Button kind="primary" aria-disabled={state.isSaving || undefined} onClick={publish}>
        {words.publish}
      </Button>
    </div>
  )
}

/** A new post that is typed here is a draft, which is saved automatically. */
function useDraftWhileWriting({ form, state }: FormProps): void {
  const isNew = state.post === undefined && state.fields.status === 'active'
  useEffect(() => {
    if (isNew && state.isUnsaved) changeFields(form, { status: 'inactive' })
  }, [form, isNew, state.isUnsaved])
}

export function WritingTitle({ form, state }: FormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { title } = state.fields
  const error = state.problems.title ?? findLengthProblem(title)
  useLayoutEffect(() => {
    // Some browsers do not size a field by its content.
    if (!field.current || !title || CSS.supports('field-sizing', 'content')) return
    field.current.style.blockSize = 'auto'
    field.current.style.blockSize = `${field.current.scrollHeight}px`
  }, [title])
  return (
    <div>
      <textarea
        className="writing__title"
        id="title"
        name="title"
        ref={field}
        rows={1}
        required
        dir="auto"
        autoComplete="off"
        aria-label={texts.postFields.title}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'title-error' : undefined}
        placeholder={texts.postFields.title}
        value={title}
        readOnly={state.isSaving}
        onChange={({ currentTarget }) =>
          changeTitle(form, currentTarget.value.replaceAll('\n', ' '))
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          if (event.ctrlKey || event.metaKey) form.dispatch({ type: 'publishOpened' })
          else focusText(form.editor)
        }}
      />
      {error && <FieldError id="title-error">{error}</FieldError>}
    </div>
  )
}
