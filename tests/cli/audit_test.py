"""Tests `dpvi audit`."""
import json

from program import ProgramTest, run


class AuditCase(ProgramTest):
    def test_reports_every_attack_under_both_adjacencies(self):
        done = run("audit", "--runs", "1000", "--json")
        self.assertEqual(done.returncode, 0, done.stdout)
        found = json.loads(done.stdout)
        self.assertFalse(found["refuted"])
        self.assertEqual(found["confidence"], 0.999)
        scenarios = found["scenarios"]
        self.assertEqual(found["runs"], sum(scenario["runs"] for scenario in scenarios))
        self.assertEqual({scenario["runs"] for scenario in scenarios}, {1000})
        by_adjacency = {adjacency: {scenario["name"] for scenario in scenarios
                                    if scenario["adjacency"] == adjacency}
                        for adjacency in ("add-remove", "substitute")}
        self.assertEqual(by_adjacency["add-remove"], by_adjacency["substitute"])
        self.assertEqual(2 * len(by_adjacency["substitute"]), len(scenarios))
        for scenario in [found, *scenarios]:
            self.assertLess(scenario["lower_bound"], scenario["claim_epsilon"])
        self.assertIn("attack", done.stderr)

    def test_keeps_to_its_time_and_prints_a_table(self):
        done = run("audit", "--minutes", "0.05", "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertIn("one sampled step", done.stdout)
        self.assertIn("No claim is refuted.", done.stdout)

    def test_refuses_efforts_outside_their_rules(self):
        self.refused("DP103", ["--minutes", "--runs"], "audit", "--minutes", "1", "--runs", "5000")
        self.refused("DP102", ["--minutes", "0.05"], "audit", "--minutes", "0")
        self.refused("DP102", ["--runs", "1000"], "audit", "--runs", "10")
