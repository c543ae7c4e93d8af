import { describe, expect, it } from 'vitest'
import {
  answersOf,
  choose,
  chooseOther,
  currentQuestion,
  emptyDraft,
  isQuestionDraft,
  nextQuestion,
  parseQuestions,
  type Question,
  writeOther,
} from './questions.ts'

const questions =
  parseQuestions({
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [{ label: 'Red' }, { label: 'Blue', description: 'calm' }],
      },
      {
        question: 'Which sizes?',
        multiSelect: true,
        options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
      },
    ],
  }) ?? expect.fail('no questions')
const [colour, sizes] = questions as [Question, Question]

describe('questions', () => {
  it('are read with care', () => {
    expect(colour).toMatchObject({ header: 'Colour', multiSelect: false })
    expect(sizes).toMatchObject({ header: undefined, multiSelect: true })
    for (const input of [{}, { questions: 'x' }, { questions: [] }, { questions: [null, { question: 3 }] }])
      expect(parseQuestions(input)).toBeUndefined()
    const odd = {
      question: 'A?',
      options: [null, { label: 4 }, { label: 'x' }, { label: 'x' }, 'y'],
      multiSelect: 'yes',
    }
    expect(parseQuestions({ questions: [odd, odd] })).toEqual([
      {
        question: 'A?',
        header: undefined,
        multiSelect: false,
        options: [
          { label: 'x', description: undefined, preview: undefined },
          { label: 'y', description: undefined, preview: undefined },
        ],
      },
    ])
  })

  it('are answered with one choice, several in their order, or words of one’s own', () => {
    let draft = emptyDraft(questions)
    expect(answersOf(questions, draft)).toEqual({ answers: {}, done: 0 })
    draft = choose(draft, 0, colour, 'Red')
    draft = choose(draft, 0, colour, 'Blue')
    draft = choose(draft, 1, sizes, 'L')
    draft = choose(draft, 1, sizes, 'S')
    expect(answersOf(questions, draft).answers).toEqual({
      'Which colour?': 'Blue',
      'Which sizes?': ['S', 'L'],
    })
    draft = writeOther(draft, 0, colour, ' darker ')
    draft = choose(draft, 1, sizes, 'S')
    draft = writeOther(draft, 1, sizes, 'XXL')
    expect(answersOf(questions, draft)).toEqual({
      answers: { 'Which colour?': 'darker', 'Which sizes?': ['L', 'XXL'] },
      done: 2,
    })
    // A choice after one's own words is the answer; the words are kept.
    draft = choose(draft, 0, colour, 'Red')
    draft = chooseOther(draft, 1, sizes)
    expect(answersOf(questions, draft).answers).toEqual({ 'Which colour?': 'Red', 'Which sizes?': ['L'] })
    expect(draft[0]?.other).toBe(' darker ')
  })

  it('without words of one’s own are not answered by "other"', () => {
    const draft = chooseOther(choose(emptyDraft(questions), 0, colour, 'Red'), 0, colour)
    expect(answersOf(questions, draft)).toEqual({ answers: {}, done: 0 })
  })

  it('go on with the first that is open', () => {
    const draft = choose(emptyDraft(questions), 0, colour, 'Red')
    expect(currentQuestion(questions, emptyDraft(questions))).toBe(0)
    expect(currentQuestion(questions, draft)).toBe(1)
    expect(currentQuestion(questions, choose(draft, 1, sizes, 'M'))).toBe(1)
  })

  it('lead on from a choice to the next that is open, unless there is more to choose or to look at', () => {
    const three = [...questions, { ...colour, question: 'Third?' }]
    const empty = emptyDraft(three)
    const first = choose(empty, 0, colour, 'Red')
    expect(nextQuestion(three, first, 0)).toBe(1)
    expect(nextQuestion(three, choose(empty, 2, colour, 'Red'), 2)).toBe(0)
    expect(nextQuestion(three, choose(first, 1, sizes, 'S'), 1)).toBe(1)
    expect(nextQuestion(three, choose(choose(first, 1, sizes, 'S'), 2, colour, 'Red'), 2)).toBe(2)
    const looks = { ...colour, options: [{ label: 'Red', description: undefined, preview: '[]' }] }
    expect(nextQuestion([looks, sizes], choose(empty, 0, looks, 'Red'), 0)).toBe(0)
  })

  it('have drafts that are taken back only if they fit', () => {
    const fits = isQuestionDraft(2)
    expect(fits(emptyDraft(questions))).toBe(true)
    for (const value of [null, [], [{}], [{}, {}], [{ chosen: [1], otherOn: false, other: '' }, {}]])
      expect(fits(value)).toBe(false)
  })
})
