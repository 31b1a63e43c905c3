// "Who is who?": each author in the export, and who they become in this blog.
import { ArrowRight, ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { ImportPerson } from '#contract/archive.ts'
import { useApi } from '../api/client.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { Alert } from '../ui/alert.tsx'
import { listOwners, nameOf } from './archive-api.ts'
import type { People } from './import-choices.ts'

const words = texts.importCheck.people

type PeopleChoicesProps = {
  people: ImportPerson[]
  chosen: People
  onChoose: (chosen: People) => void
}

export function PeopleChoices({ people, chosen, onChoose }: PeopleChoicesProps) {
  const api = useApi()
  const { value: owners } = useLoaded('owners', () => listOwners(api))
  const choices = owners?.ok ? owners.value.map((owner) => [owner.$id, nameOf(owner)]) : []
  return (
    <div className="box stack panel">
      <div>
        <h3>{words.title}</h3>
        <p className="quiet">{words.text}</p>
      </div>
      {owners?.ok === false && <Alert kind="error">{reasonText(owners.failure)}</Alert>}
      <ul className="lines people-map">
        {people.map((person) => (
          <PersonRow
            key={person.key}
            person={person}
            choices={[...choices, ['new', words.new], ['unknown', words.unknown]]}
            owner={chosen[person.key] ?? ''}
            onChoose={(owner) => onChoose({ ...chosen, [person.key]: owner })}
          />
        ))}
      </ul>
    </div>
  )
}

type PersonRowProps = {
  person: ImportPerson
  choices: string[][]
  owner: string
  onChoose: (owner: string) => void
}

function PersonRow({ person, choices, owner, onChoose }: PersonRowProps) {
  const id = useId()
  const { name, email, posts } = person
  return (
    <li>
      <p>
        <bdi>{name}</bdi>
        <small className="hint">{words.facts(email && <bdi>{email}</bdi>, posts)}</small>
      </p>
      <ArrowRight className="icon icon--small people-map__arrow" aria-hidden="true" />
      <span className="select">
        <label className="visually-hidden" htmlFor={id}>
          {words.becomes(name)}
        </label>
        <select
          id={id}
          className="input"
          value={owner}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {owner === '' && <option value="">{words.choose}</option>}
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" aria-hidden="true" />
      </span>
    </li>
  )
}
