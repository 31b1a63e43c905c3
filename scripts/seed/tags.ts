// Tags of the seeded posts, by title; the others have none.
const TAGS: Readonly<Record<string, readonly string[]>> = {
  'The ward at four in the morning': ['night', 'work'],
  'Beans do not read the packet': ['garden', 'seasons'],
  'A recipe for people who have just come off a night shift': ['night', 'food', 'work'],
  'Things the compost has taught me': ['garden'],
  'A year of the allotment, told by what I lost in it': ['garden', 'seasons', 'weather'],
  'Eleven nights on the slow boat': ['boats', 'night', 'river', 'travel'],
  'What the lighthouse says, in eleven lines': ['poems', 'night', 'sea'],
  'رسالة إلى نافذة لا تُفتح': ['رسائل', 'نوافذ'],
  'A word I have been unable to translate for nine years': ['words', 'translation'],
  'Marginalia, collected': ['words', 'books'],
  'Coffee in the order in which it is poured': ['food', 'mornings'],
  'What the index knows': ['books', 'words'],
  'Where the map says "liable to flooding"': ['maps', 'river', 'weather'],
  'Cloud diary, one week': ['weather'],
  'Directions from the woman at the farm': ['maps', 'walking'],
  'Night walk with a lamp switched off': ['night', 'walking'],
  'A clock that is wrong on purpose': ['clocks', 'time'],
  'Notes on deleting code': ['code', 'work'],
  'The screw that is left over': ['clocks', 'tools'],
  'How to explain a bug to a clockmaker': ['code', 'clocks'],
  'In praise of the second-best tool': ['tools', 'work'],
  'Binnenschifferpatentverlängerungsantragsformular, or: a morning at the harbour office': [
    ...['boats', 'river', 'mornings', 'Binnenschifffahrtsverwaltung', 'work'],
  ],
  'Fog has a sound': ['river', 'weather', 'mornings'],
  'My grandmother’s knots': ['boats', 'family'],
  'Small dictionary of river words': ['river', 'words'],
  Ice: ['river', 'weather', 'seasons'],
}

export function tagsOfSeed({ title }: { title: string }): readonly string[] {
  return TAGS[title] ?? []
}
