// The second step of an import: the file is read, then the page shows what will be imported and
// what will be left out, and asks what cannot be decided without the person.
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ImportCheck, ImportChoices, ImportRun } from '#contract/archive.ts'
import { TAGS_MAX } from '#contract/limits.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { InputField } from '../ui/field.tsx'
import { largeSizeText } from '../ui/large-size.ts'
import { Options } from '../ui/options.tsx'
import type { ArchiveScope } from './archive-api.ts'
import { completeAddress } from './complete-address.ts'
import { NewImportButton } from './import-buttons.tsx'
import { countsWith, countUnchosen, defaultChoices, type People } from './import-choices.ts'
import { LeftOut } from './left-out.tsx'
import { NumberTable } from './number-table.tsx'
import { PeopleChoices } from './people-choices.tsx'
import { ImportProgressPanel } from './running-step.tsx'
import type { Imports } from './use-imports.ts'

const words = texts.importCheck

type RunProps = { imports: Imports; run: ImportRun }

export function CheckingStep({ imports, run }: RunProps) {
  return (
    <>
      <ImportProgressPanel run={run} reading={imports.reading} />
      <div className="row">
        <NewImportButton imports={imports}>{texts.importing.cancel}</NewImportButton>
      </div>
    </>
  )
}

type CheckProps = RunProps & { check: ImportCheck }

export function CheckStep({ imports, run, check }: CheckProps) {
  const { scope, chosenKind, pending } = imports
  const [choices, setChoices] = useState<ImportChoices>(() => defaultChoices(scope, check))
  const change = (changes: Partial<ImportChoices>) =>
    setChoices((current) => ({ ...current, ...changes }))
  const isEmpty = check.found.posts + check.found.drafts + check.found.pages === 0
  const isWhole = scope === 'operator'
  const unchosen = countUnchosen(choices.people)
  const isFull = choices.hasPictures && hasNoRoom(check)
  const { posts, drafts, pages } = countsWith(check, choices)
  return (
    <>
      {chosenKind && chosenKind !== check.kind && (
        <Alert kind="warn">{words.otherKind(check.kind, chosenKind)}</Alert>
      )}
      {isEmpty ? (
        <Alert kind="error">{words.noPosts}</Alert>
      ) : (
        <>
          {isWhole && check.people.length > 0 && (
            <PeopleChoices
              people={check.people}
              chosen={choices.people}
              onChoose={(people: People) => change({ people })}
            />
          )}
          <Found scope={scope} run={run} check={check} choices={choices} />
          <LeftOut scope={scope} run={run} check={check} choices={choices}>
            {lacksPictures(check) && <AddressForm imports={imports} run={run} />}
          </LeftOut>
          <Choices scope={scope} check={check} choices={choices} onChange={change} />
          {isFull && (
            <Alert kind="warn">
              {words.noRoom(largeSizeText(check.pictureBytes), largeSizeText(check.roomBytes ?? 0))}
            </Alert>
          )}
        </>
      )}
      <div className="archive-buttons">
        <NewImportButton imports={imports} Icon={ArrowLeft}>
          {texts.importing.another}
        </NewImportButton>
        {!isEmpty && (
          <div className="row">
            {unchosen > 0 && (
              <span className="quiet" id="import-hold">
                {words.people.hold(unchosen)}
              </span>
            )}
            <Button
              kind="primary"
              isBusy={pending === 'start'}
              aria-disabled={unchosen > 0 || isFull || posts + drafts + pages === 0 || undefined}
              aria-describedby={unchosen > 0 ? 'import-hold' : undefined}
              onClick={() => void imports.start(choices)}
            >
              {words.import(posts + drafts, pages)}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function hasNoRoom({ pictureBytes, roomBytes }: ImportCheck): boolean {
  return roomBytes !== null && pictureBytes > roomBytes
}

function lacksPictures({ issues }: ImportCheck): boolean {
  return issues.some(({ reason }) => reason.startsWith('picture') && reason !== 'pictureRefused')
}

type FoundProps = {
  scope: ArchiveScope
  run: ImportRun
  check: ImportCheck
  choices: ImportChoices
}

/** The table: what is in the file, and how much of it will be imported. */
function Found({ scope, run, check, choices }: FoundProps) {
  const { found, willImport, oldest, newest, issues } = check
  const { rows } = words
  const counts = countsWith(check, choices)
  const isWithoutPages = choices.pages === 'none'
  const tooMany = issues.find(({ reason }) => reason === 'tooManyTags')?.count ?? 0
  const lines: { name: string; hint: ReactNode; found: number; comes: number }[] = [
    {
      name: rows.posts,
      hint: oldest && words.dates(<LocalDate time={oldest} />, <LocalDate time={newest} />),
      found: found.posts,
      comes: willImport.posts,
    },
    { name: rows.drafts, hint: words.asInactive, found: found.drafts, comes: willImport.drafts },
    {
      name: rows.pages,
      hint: choices.pages === 'posts' && words.pageChoices.posts.name,
      found: found.pages,
      comes: willImport.pages,
    },
    {
      name: rows.pictures,
      hint: pictureHint(scope, check),
      found: found.pictures,
      comes: counts.pictures,
    },
    {
      name: rows.comments,
      hint: words.byPeople,
      found: found.comments,
      comes: counts.comments,
    },
    {
      name: rows.tags,
      hint: words.tagsHint(TAGS_MAX, tooMany),
      found: found.tags,
      comes: willImport.tags,
    },
    {
      name: rows.addresses,
      hint: words.addressHint,
      found: found.addresses,
      comes: willImport.addresses,
    },
  ]
  return (
    <div className="box stack panel">
      <p>
        <b className="archive-name">
          <bdi>{run.fileName}</bdi>
        </b>{' '}
        <span className="quiet">{words.program(check.program, largeSizeText(run.sizeBytes))}</span>
      </p>
      <NumberTable
        label={words.table}
        columns={[words.inFile, words.willCome]}
        rows={lines
          .filter(({ name, found: count }) => count > 0 && !(isWithoutPages && name === rows.pages))
          .map(({ name, hint, found: count, comes }) => ({
            name,
            hint,
            number: words.number(comes, count),
          }))}
      />
    </div>
  )
}

function pictureHint(scope: ArchiveScope, { pictureBytes, roomBytes }: ImportCheck): string {
  const size = pictureBytes > 0 ? largeSizeText(pictureBytes) : ''
  const room = roomBytes === null ? '' : largeSizeText(roomBytes)
  return scope === 'operator' ? words.pictureSizeWhole(size, room) : words.pictureSize(size, room)
}

/** Reads the file again, with the address from which its pictures can be fetched. */
function AddressForm({ imports, run }: RunProps) {
  const [address, setAddress] = useState(run.oldAddress)
  const [problem, setProblem] = useState<string>()
  function handleCheck() {
    const oldAddress = completeAddress(address)
    setProblem(oldAddress ? undefined : texts.importing.notAnAddress)
    if (oldAddress) void imports.check(oldAddress)
  }
  return (
    <form
      className="archive-address"
      noValidate
      aria-label={words.checkAgain}
      onSubmit={(event) => {
        event.preventDefault()
        handleCheck()
      }}
    >
      <InputField
        label={texts.importing.address}
        type="url"
        autoComplete="off"
        value={address}
        hint={words.addressForPictures}
        error={problem}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <Button type="submit" isBusy={imports.pending === 'check'}>
        {words.checkAgain}
      </Button>
    </form>
  )
}

type ChoicesProps = {
  scope: ArchiveScope
  check: ImportCheck
  choices: ImportChoices
  onChange: (changes: Partial<ImportChoices>) => void
}

function Choices({ scope, check, choices, onChange }: ChoicesProps) {
  const { found, willImport, siteName, siteDescription } = check
  const isWhole = scope === 'operator'
  return (
    <div className="box panel">
      <Options
        legend={words.status}
        options={[
          { value: 'active', ...words.statuses.active },
          { value: 'inactive', ...words.statuses.inactive },
        ]}
        selected={choices.status}
        onChoose={(status) => onChange({ status })}
      />
      {willImport.pages > 0 && isWhole && (
        <Options
          legend={words.pages}
          options={[
            { value: 'pages', ...words.pageChoices.pages },
            { value: 'posts', ...words.pageChoices.posts },
            { value: 'none', ...words.pageChoices.none },
          ]}
          selected={choices.pages}
          onChoose={(pages) => onChange({ pages })}
        />
      )}
      {willImport.pages > 0 && !isWhole && (
        <Tick
          name={words.pagesAsPosts}
          hint={words.pagesAsPostsHint(willImport.pages)}
          isOn={choices.pages === 'posts'}
          onChange={(isOn) => onChange({ pages: isOn ? 'posts' : 'none' })}
        />
      )}
      {(isWhole || hasNoRoom(check)) && found.pictures > 0 && (
        <Tick
          name={words.hasPictures}
          hint={words.hasPicturesHint}
          isOn={choices.hasPictures}
          onChange={(hasPictures) => onChange({ hasPictures })}
        />
      )}
      {isWhole && found.comments > 0 && (
        <Tick
          name={words.hasComments}
          hint={words.hasCommentsHint}
          isOn={choices.hasComments}
          onChange={(hasComments) => onChange({ hasComments })}
        />
      )}
      {isWhole && siteName && (
        <Tick
          name={words.hasSiteName}
          hint={words.hasSiteNameHint(
            <bdi>{siteName}</bdi>,
            siteDescription && <bdi>{siteDescription}</bdi>,
          )}
          isOn={choices.hasSiteName}
          onChange={(hasSiteName) => onChange({ hasSiteName })}
        />
      )}
    </div>
  )
}

type TickProps = {
  name: string
  hint: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Tick({ name, hint, isOn, onChange }: TickProps) {
  const id = useId()
  return (
    <label className="option">
      <input
        className="check"
        type="checkbox"
        checked={isOn}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        <span id={id}>{name}</span>
        <small className="hint" id={`${id}-hint`}>
          {hint}
        </small>
      </span>
    </label>
  )
}
