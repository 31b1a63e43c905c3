// What the form says above its fields: what is missing, what failed, which other texts there are.
import { Copy } from 'lucide-react'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import type { Draft } from '../drafts/draft.ts'
import { texts } from '../locales/texts.ts'
import { LocalTime } from '../posts/local-date.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { DraftNotice } from './draft-notice.tsx'
import type { FormState } from './post-form-state.ts'
import { ProblemSummary } from './problem-summary.tsx'
import { SignedOutNotice } from './signed-out-notice.tsx'

type FormMessagesProps = Pick<
  FormState,
  'problems' | 'tries' | 'failure' | 'newer' | 'isElsewhere' | 'isSaving'
> & {
  /** The post being edited, if any. */
  opened: PostDocument | undefined
  hasNoRoom: boolean
  otherDraft: Draft | undefined
  onContent: () => void
  onSignIn: () => void
  onCompare: () => void
  onWriteHere: () => void
  onRestore: (draft: Draft) => void
  onDiscard: (draft: Draft) => void
}

export function FormMessages(props: FormMessagesProps) {
  const { problems, tries, failure, newer, isElsewhere, isSaving, otherDraft } = props
  const { wasSignedOut } = useViewer()
  return (
    <div className="post-form__messages">
      {Object.keys(problems).length > 0 && (
        <ProblemSummary key={tries} problems={problems} onContent={props.onContent} />
      )}
      {wasSignedOut && <SignedOutNotice onSignIn={props.onSignIn} />}
      {failure && !(failure.isSignedOut && wasSignedOut) && (
        <Alert kind="error" takesFocus={!failure.isQuiet}>
          {failure.text}
          {failure.isSignedOut && (
            <>
              {' '}
              <Button className="btn--in-text" onClick={props.onSignIn}>
                {texts.signing.in}
              </Button>
            </>
          )}
        </Alert>
      )}
      {isElsewhere && (
        <Alert kind="warn" Icon={Copy}>
          {texts.otherTab.text}{' '}
          <Button className="btn--in-text" onClick={props.onWriteHere}>
            {texts.otherTab.writeHere}
          </Button>
        </Alert>
      )}
      {newer && (
        <Alert kind="warn">
          {texts.newer.text(<LocalTime time={newer.$updatedAt} />)}{' '}
          <Button className="btn--in-text" onClick={props.onCompare}>
            {texts.newer.compare}
          </Button>
        </Alert>
      )}
      {props.hasNoRoom && <Alert kind="warn">{texts.postForm.noRoom}</Alert>}
      {otherDraft && !isSaving && (
        <DraftNotice
          key={otherDraft.id}
          draft={otherDraft}
          post={props.opened}
          onRestore={() => props.onRestore(otherDraft)}
          onDiscard={() => props.onDiscard(otherDraft)}
        />
      )}
    </div>
  )
}
