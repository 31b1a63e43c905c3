// The drawer "Publish": when, for whom, and how the post looks elsewhere. It knows nothing of the
// form: it reports each detail as it is typed, and the decision when the primary button is pressed.
import './publishing-sheets.css'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { DETAIL_MAX_CHARS } from '#contract/limits.ts'
import { titleSegment } from '#contract/post-url.ts'
import { useApi } from '../api/client.ts'
import { serverNowMs } from '../api/server-clock.ts'
import { texts } from '../locales/texts.ts'
import type { PostDetails } from '../posts/posts-api.ts'
import { Alert } from '../ui/alert.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Field, FieldError, TextInput } from '../ui/field.tsx'
import { Fold } from '../ui/fold.tsx'
import { Options } from '../ui/options.tsx'
import { findDetailProblem, isWrong, type TextDetail } from './detail-problems.ts'
import { instantOf, type LocalTime, localTimeOf, suggestedTime } from './local-time.ts'
import { ShareCard, type SharedPost } from './share-card.tsx'
import { shortTime } from './shown-time.ts'
import { WhenFields } from './when-fields.tsx'

const words = texts.publishing
/** The server takes no later time. */
const YEARS_AHEAD_MAX = 5

/** What the primary button does: `publishedAt` is the time of a schedule, or null. */
export type PublishDecision = { status: 'active' | 'inactive'; publishedAt: string | null }

export type PublishDrawerProps = {
  /** The post as the form has it. */
  post: SharedPost & {
    isActive: boolean
    isPage?: boolean | undefined
    /** Of the text: what shows where there is no excerpt. */
    beginning: string
  }
  details: PostDetails
  /** When the post turns active, as it is stored, or as it was chosen before. */
  publishedAt: string | undefined
  isBusy: boolean
  /** Why the last press failed. */
  failure: ReactNode
  /** The button that opens the preview, in the foot. */
  preview: ReactNode
  onChange: (changes: Partial<PostDetails>) => void
  onConfirm: (decision: PublishDecision) => void
  onClose: () => void
}

type Moment = 'now' | 'later'
type Audience = 'everyone' | 'author'

export function PublishDrawer(props: PublishDrawerProps) {
  const { post, details, publishedAt, isBusy, failure, onChange, onConfirm, onClose } = props
  const [moment, setMoment] = useState<Moment>(publishedAt ? 'later' : 'now')
  const [audience, setAudience] = useState<Audience>('everyone')
  const [time, setTime] = useState<LocalTime>(() =>
    publishedAt ? localTimeOf(new Date(publishedAt)) : suggestedTime(new Date()),
  )
  const [hasTried, setTried] = useState(false)
  const { reading } = useApi().settings
  const { audiences, pageAudiences } = words
  const everyone = post.isPage ? pageAudiences.everyone : audiences[reading]
  const author = post.isPage ? pageAudiences.operators : audiences.author
  const isLater = moment === 'later' && audience === 'everyone' && !post.isActive
  const chosen = isLater ? instantOf(time)?.instant : undefined
  const chosenTime = chosen?.toISOString()

  function handleSubmit(event: SyntheticEvent) {
    event.preventDefault()
    setTried(true)
    if (findRefusal() !== undefined || isBusy) return
    const isActive = audience === 'everyone' && !isLater
    onConfirm({ status: isActive ? 'active' : 'inactive', publishedAt: chosenTime ?? null })
  }
  function findRefusal(): string | undefined {
    if (post.title.trim() === '') return texts.problems.title
    if (isLater && !chosen) return words.noTime
    if (chosen && chosen.getTime() <= serverNowMs()) return words.past
    if (chosen && chosen > yearsAhead(YEARS_AHEAD_MAX)) return words.tooLate
    if (findDetailProblem(details)) return words.details
  }
  // Once shown, a refusal disappears as soon as its reason does.
  const refusal = hasTried ? findRefusal() : undefined
  const notice = failure && (
    <Alert kind="error" isQuiet>
      {failure}
    </Alert>
  )
  const { verbs } = words
  const verbForEveryone = post.isActive ? verbs.update : verbs.now
  const verb = audience === 'author' ? verbs.author : verbForEveryone
  return (
    <Drawer
      title={words.title}
      submitLabel={chosenTime ? verbs.later(shortTime(chosenTime)) : verb}
      isBusy={isBusy}
      extra={props.preview}
      notice={refusal ? <FieldError id="publish-refusal">{refusal}</FieldError> : notice}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {!post.isActive && (
        <div>
          <Options
            legend={words.when}
            options={[
              { value: 'now', name: words.now },
              { value: 'later', name: words.later },
            ]}
            selected={moment}
            onChoose={setMoment}
          />
          {moment === 'later' && <WhenFields time={time} onChange={setTime} />}
        </div>
      )}
      <Options
        legend={words.audience}
        options={[
          { value: 'everyone', ...everyone },
          { value: 'author', ...author },
        ]}
        selected={audience}
        onChoose={setAudience}
      />
      <DetailFields {...props} post={chosenTime ? { ...post, publishedAt: chosenTime } : post} />
      {!post.isPage && (
        <label className="option">
          <input
            className="check"
            type="checkbox"
            checked={!details.commentsClosed}
            onChange={({ currentTarget }) => onChange({ commentsClosed: !currentTarget.checked })}
          />
          <span>
            {words.comments.name}
            <small className="hint">{words.comments.hint}</small>
          </span>
        </label>
      )}
      <SearchEngineFields {...props} />
    </Drawer>
  )
}

function yearsAhead(years: number): Date {
  const time = new Date(serverNowMs())
  time.setUTCFullYear(time.getUTCFullYear() + years)
  return time
}

type DetailProps = Pick<PublishDrawerProps, 'post' | 'details' | 'onChange'>

function DetailFields({ post, details, onChange }: DetailProps) {
  const titleWords = titleSegment(post.title)
  const [typedWords, setTypedWords] = useState(details.addressWords || titleWords)
  return (
    <>
      {!post.isPage && (
        <DetailField
          name="excerpt"
          rows={3}
          hint={words.fields.excerptHint}
          placeholder={post.beginning}
          details={details}
          onChange={onChange}
        />
      )}
      <Field label={words.addressWords} hint={words.addressHint}>
        {(ids) => (
          <div className="address-words">
            <span aria-hidden="true">{post.isPage ? '/' : words.addressStart}</span>
            <TextInput
              {...ids}
              className="mono"
              value={typedWords}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ currentTarget: { value } }) => {
                setTypedWords(value)
                const segment = titleSegment(value)
                onChange({ addressWords: segment === titleWords ? '' : segment })
              }}
              onBlur={() => setTypedWords(details.addressWords || titleWords)}
            />
          </div>
        )}
      </Field>
      {!post.isPage && (
        <div className="stack publish-card">
          <p className="label">{words.shared}</p>
          <ShareCard post={post} />
          {post.image === undefined && <p className="hint">{words.drawn}</p>}
        </div>
      )}
    </>
  )
}

/** Texts for search engines, folded: most posts need none. */
function SearchEngineFields({ post, details, onChange }: DetailProps) {
  const field = { details, onChange }
  return (
    <Fold title={words.searchEngines}>
      <DetailField name="metaTitle" placeholder={post.title} {...field} />
      <DetailField
        name="metaDescription"
        rows={3}
        placeholder={details.excerpt || post.beginning}
        {...field}
      />
      <DetailField name="canonicalUrl" hint={words.fields.canonicalUrlHint} {...field} />
    </Fold>
  )
}

type DetailFieldProps = Pick<PublishDrawerProps, 'details' | 'onChange'> & {
  name: TextDetail
  hint?: string
  placeholder?: string
  /** A text of several lines. */
  rows?: number
}

function DetailField({ name, hint = '', placeholder, rows, details, onChange }: DetailFieldProps) {
  const value = details[name]
  const isUrl = name === 'canonicalUrl'
  const max = DETAIL_MAX_CHARS[name]
  const length = [...value].length
  const problem = isUrl && length <= max ? words.notAnAddress : words.tooLong(max, length - max)
  const props = {
    className: 'input',
    value,
    placeholder,
    dir: 'auto',
    onChange: ({ currentTarget }: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: currentTarget.value }),
  }
  const shownHint = isUrl ? (
    hint
  ) : (
    <span className="counted">
      <span>{hint}</span>
      <span>{words.count(length, max)}</span>
    </span>
  )
  return (
    <Field
      label={words.fields[name]}
      hint={shownHint}
      error={isWrong(name, value) ? problem : undefined}
    >
      {(ids) =>
        rows ? (
          <textarea {...ids} {...props} rows={rows} />
        ) : (
          <input {...ids} {...props} type={isUrl ? 'url' : 'text'} autoComplete="off" />
        )
      }
    </Field>
  )
}
