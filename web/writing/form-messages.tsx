// The messages above the fields: missing values, failures, other versions of the text.
import { Copy } from 'lucide-react'
import {
  Fragment,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { useViewer } from '../accounts/viewer.tsx'
import { LocalTime } from '../dates/dates.tsx'
import { type Draft, draftStore } from '../drafts/draft-store.ts'
import { texts } from '../locales/texts.ts'
import { plainText } from '../posts/plain-text.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { compare, discard, restore, signInAgain } from './form-actions.ts'
import { type OpenForm, takeOver } from './open-form.ts'
import { type PostProblems, summaryOf } from './post-values.ts'
import type { FormProps } from './use-post-form.ts'

/** @param props `onShowFields` shows the fields that the writing view does not have */
export function FormMessages({
  form,
  state,
  onShowFields,
}: FormProps & { onShowFields: () => void }) {
  const { problems, failure, newerPost, merged } = state
  const [otherDraft] = useOfferedDrafts({ form, state })
  const viewer = useViewer()
  const { wasSignedOut } = viewer
  const signIn = () => void signInAgain(form, viewer)
  return (
    <>
      <div className="unless-empty post-form__messages">
        {Object.keys(problems).length > 0 && (
          <ProblemSummary
            key={state.tries}
            problems={problems}
            onContent={() => form.editor.current?.focus()}
            onDetails={() => form.dispatch({ type: 'publishOpened' })}
            onShowFields={onShowFields}
          />
        )}
        {wasSignedOut && <SignedOutNotice onSignIn={signIn} />}
        {failure && !(failure.isSignedOut && wasSignedOut) && (
          <Alert kind="error" takesFocus={!failure.isQuiet}>
            {failure.text}
            {failure.isSignedOut && (
              <>
                {' '}
                <Button className="btn--in-text" onClick={signIn}>
                  {texts.signing.in}
                </Button>
              </>
            )}
          </Alert>
        )}
        {state.isDeviceFull && <Alert kind="warn">{texts.postForm.deviceFull}</Alert>}
      </div>
      <Choices>
        {state.isOpenElsewhere && (
          <Alert kind="warn" Icon={Copy}>
            {texts.otherTab.text}{' '}
            <Button className="btn--in-text" onClick={() => takeOver(form)}>
              {texts.otherTab.writeHere}
            </Button>
          </Alert>
        )}
        {merged && <merged.Notice key={merged.savedAt} merged={merged} />}
        {newerPost && (
          <Alert kind="warn">
            {texts.newer.text(<LocalTime time={newerPost.$updatedAt} />)}{' '}
            <Button className="btn--in-text" onClick={() => compare(form)}>
              {texts.newer.compare}
            </Button>
          </Alert>
        )}
        {otherDraft && !state.isSaving && (
          <DraftNotice key={otherDraft.id} form={form} draft={otherDraft} />
        )}
      </Choices>
    </>
  )
}

function useOfferedDrafts({ form, state }: FormProps): Draft[] {
  const { hiddenIds } = draftStore
  const hidden = useSyncExternalStore(hiddenIds.subscribe, hiddenIds.get, hiddenIds.get)
  // Drafts of new posts are not versions of the post that this form has created.
  if (!form.opened && state.post) return []
  return state.otherDrafts.filter(({ id }) => !hidden.has(id))
}

const HEIGHT = '--choices-height'

/**
 * Messages that wait for a choice stay in sight, because a reloaded page keeps its scroll position.
 * The sticky bars below them make room.
 */
function Choices({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.setProperty(HEIGHT, `${box.current?.offsetHeight ?? 0}px`)
    })
    if (box.current) observer.observe(box.current)
    return () => {
      observer.disconnect()
      style.removeProperty(HEIGHT)
    }
  }, [])
  return (
    <div className="unless-empty post-form__messages post-form__choices" ref={box}>
      {children}
    </div>
  )
}

// A draft on this device, to be restored or discarded.

const WORDS_SHOWN = 12
/** The id of the title field in the form below. */
const TITLE_ID = 'title'

function DraftNotice({ form, draft }: { form: OpenForm; draft: Draft }) {
  const post = form.opened
  const title = draft.title.trim()
  const beginning = beginningOf(draft.content)

  /** The buttons disappear with the notice, so the focus moves to the first field. */
  function focusTitleAnd(action: () => void) {
    document.getElementById(TITLE_ID)?.focus({ preventScroll: true })
    action()
  }
  return (
    <Alert kind="warn">
      <p>{texts.drafts.unsavedText(<LocalTime time={draft.changedAt} />)}</p>
      <p className="clamp draft-notice__text" dir="auto">
        {title && <b>{title}</b>}
        {title && beginning && ': '}
        {beginning}
      </p>
      {post && draft.basedOn !== undefined && draft.basedOn < post.$updatedAt && (
        <p>{texts.drafts.postIsNewer}</p>
      )}
      <div className="row row--tight">
        <Button onClick={() => focusTitleAnd(() => restore(form, draft))}>
          {texts.drafts.restore}
        </Button>
        <Button kind="ghost" onClick={() => focusTitleAnd(() => discard(form, draft))}>
          {texts.drafts.discard}
        </Button>
      </div>
    </Alert>
  )
}

function beginningOf(html: string): string {
  const words = plainText(html).split(' ')
  return words.slice(0, WORDS_SHOWN).join(' ') + (words.length > WORDS_SHOWN ? ' …' : '')
}

// Names the fields with problems, with links to them.

const FIELDS = ['title', 'slug', 'content', 'tags', 'image', 'details'] as const
const { between } = texts.problems

type ProblemSummaryProps = {
  problems: PostProblems
  /** Focuses the editor: it is in a frame, which a link cannot focus. */
  onContent: () => void
  onDetails: () => void
  onShowFields: () => void
}

function ProblemSummary({ problems, onContent, onDetails, onShowFields }: ProblemSummaryProps) {
  const fields = FIELDS.filter((name) => problems[name] !== undefined)
  function handleClick(event: MouseEvent, name: (typeof FIELDS)[number]) {
    event.preventDefault()
    if (name === 'content') onContent()
    else if (name === 'details') onDetails()
    else {
      if (!document.getElementById(name)) onShowFields()
      document.getElementById(name)?.focus()
    }
  }
  return (
    <Alert kind="error" takesFocus>
      {summaryOf(problems)}:{' '}
      {fields.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && (index === fields.length - 1 ? between.and : between.comma)}
          <a className="link" href={`#${name}`} onClick={(event) => handleClick(event, name)}>
            {texts.problems.names[name]}
          </a>
        </Fragment>
      ))}
      .
    </Alert>
  )
}

// The session has ended: the text stays, and signing in leads back to it.

const { notice, textStored, continueWriting } = texts.sessionEnded

function SignedOutNotice({ onSignIn }: { onSignIn: () => void }) {
  return (
    <div role="alert">
      <Alert kind="warn">
        <b>{notice}</b> {textStored}{' '}
        <Button className="btn--in-text" onClick={onSignIn}>
          {continueWriting}
        </Button>
      </Alert>
    </div>
  )
}
